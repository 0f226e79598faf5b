const dayMs = 24 * 60 * 60 * 1000;
/** Packing takes twenty minutes, and the van leaves at 15:00. */
const cutOffMinutes = 14 * 60 + 40;

/** Returns the date, as YYYY-MM-DD, on which an order leaves the warehouse. */
export function dispatchDay(orderedAt) {
  const minutes = orderedAt.getUTCHours() * 60 + orderedAt.getUTCMinutes();
  return new Date(orderedAt.getTime() + (minutes >= cutOffMinutes ? dayMs : 0)).toISOString().slice(0, 10);
}
