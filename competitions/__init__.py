"""Many tables: leagues, seasons, tournaments, their rounds, draws and publications."""
