/**
 * Drawing that is due: however often its cause occurs, each is done once in the next animation
 * frame.
 */
const due = new Set<() => void>();
let asked = 0;
let atOnce = false;

/** While `on`, drawing waits for no frame: paper has none. */
export function drawAtOnce(on: boolean): void {
  atOnce = on;
}

export function drawNextFrame(draw: () => void): void {
  if (atOnce) {
    draw();
    return;
  }
  due.add(draw);
  if (asked === 0) asked = requestAnimationFrame(drawAll);
}

export function forgetDrawing(draw: () => void): void {
  due.delete(draw);
}

function drawAll(): void {
  asked = 0;
  const now = [...due];
  due.clear();
  for (const draw of now) draw();
}
