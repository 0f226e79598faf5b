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

/**
 * True if somebody is using this page. Live updates make the page send requests by itself; if those counted as use, a
 * forgotten tab would keep the server running forever.
 */
export const isAttended = (): boolean => performance.now() - touchedAt < attendedForMs;
