const dayMs = 24 * 60 * 60 * 1000;

/** Returns the date, as YYYY-MM-DD, on which an order leaves the warehouse. */
export function dispatchDay(orderedAt) {
  const isLate = orderedAt.getUTCHours() >= 18;
  return new Date(orderedAt.getTime() + (isLate ? dayMs : 0)).toISOString().slice(0, 10);
}
