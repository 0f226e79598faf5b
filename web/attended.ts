/**
 * Whether somebody sits at this page. What happens elsewhere makes it ask again by itself; were that to count as use,
 * a tab that was forgotten would keep the server running for ever.
 */
const attendedForMs = 60_000;

let touchedAt = performance.now();
for (const touch of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus']) {
  addEventListener(
    touch,
    () => {
      touchedAt = performance.now();
    },
    { capture: true, passive: true },
  );
}

export const isAttended = (): boolean => performance.now() - touchedAt < attendedForMs;
