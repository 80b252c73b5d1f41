/* What a slip can say (rules.md 5.6, 5.7), just as competitions/pages/slip_form.py and games/engine/paper.py check it. */

/* entry: {dealer, left, forced, wrongful (texts by seat, null where not asked), withheld, none}.
   Gives the messages by field: {above, dealer, left_0, …}; `doubt` where something must be miscounted. */
export function check(entry, limits, texts) {
  const errors = {};
  const counts = {};
  for (const column of ["left", "forced", "wrongful"]) {
    if (!entry[column]) continue;
    counts[column] = entry[column].map((text, seat) => {
      const value = text.trim();
      if (value === "") errors[`${column}_${seat}`] = texts.fill;
      else if (!/^[0-9]{1,2}$/.test(value) || Number(value) > 60) errors[`${column}_${seat}`] = texts.whole;
      else return Number(value);
      return null;
    });
  }
  const left = counts.left;
  const sizes = limits.sizes[entry.dealer];
  if (!sizes) errors.dealer = texts.dealer;
  else left.forEach((count, seat) => {
    if (count !== null && count > sizes[seat]) errors[`left_${seat}`] = texts.dealt[sizes[seat]];
  });
  const winners = left.map((count, seat) => (count === 0 ? seat : -1)).filter((seat) => seat >= 0);
  if (!winners.length && !left.includes(null)) errors.above = texts.nobody;
  if (winners.length > 1) winners.forEach((seat) => { errors[`left_${seat}`] = texts.onlyOne; });
  if (limits.withheld) withheld(entry, counts.wrongful, errors, texts);
  const doubt = !Object.keys(errors).length && counts.forced && counts.wrongful && !turnsGoRound(counts, winners[0], entry.dealer, limits);
  return { errors, doubt: Boolean(doubt) };
}

function withheld(entry, wrongful, errors, texts) {
  const whole = entry.withheld.filter(([payer, payee]) => payer !== "" && payee !== "" && payer !== payee);
  entry.withheld.forEach(([payer, payee], pair) => {
    if ((payer === "") !== (payee === "")) errors[`payee_${pair}`] = texts.both;
    else if (payer !== "" && payer === payee) errors[`payee_${pair}`] = texts.other;
  });
  if (wrongful && wrongful.some((count) => count) && !whole.length && !entry.none) errors.none_withheld = texts.which;
  if (whole.length && entry.none) errors.none_withheld = texts.none;
}

/* The seats from the starter up to the winner have had one turn more than the others; a turn is a card played or a pass. */
function turnsGoRound(counts, winner, dealer, limits) {
  const sizes = limits.sizes[dealer];
  const turns = sizes.map((size, seat) => size - counts.left[seat] + counts.forced[seat] + counts.wrongful[seat]);
  const seats = turns.length;
  const after = (seat, starter) => (seat - starter + seats) % seats;
  const starters = limits.start ? [(Number(dealer) + 1) % seats] : turns.map((_, seat) => seat);
  return starters.some((starter) =>
    turns.every((count, seat) => count === turns[winner] - (after(seat, starter) > after(winner, starter) ? 1 : 0)));
}
