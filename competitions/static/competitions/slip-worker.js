/* Keeps the pages of score slips that this phone has opened, so that one opened again without a connection still shows
   what waits to be sent. Asks the server first; keeps nothing else, and only the last few. */
const KEPT = "slips";
const MOST = 20;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(answer(request));
});

async function answer(request) {
  const kept = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && !fresh.redirected) {
      await kept.put(request.url, fresh.clone());
      const keys = await kept.keys();
      await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST)).map((key) => kept.delete(key)));
    }
    return fresh;
  } catch (error) {
    const found = await kept.match(request.url, { ignoreVary: true });
    if (found) return found;
    throw error;
  }
}
