import type { CssPixels } from './useSize';

/** Rectangles that are less apart than this have nothing between them [px]. */
const touching: CssPixels = 0.01;

/**
 * Fills rectangles; neighbours in a row that look the same as one, which of thousands of narrow
 * ones leaves hundreds.
 */
export class Fills {
  readonly #context: CanvasRenderingContext2D;
  #style: string | CanvasPattern = '';
  #alpha = 1;
  #left = 0;
  #right = 0;
  #top = 0;
  #height = 0;

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  add(
    style: string | CanvasPattern,
    alpha: number,
    left: CssPixels,
    top: CssPixels,
    width: CssPixels,
    height: CssPixels,
  ): void {
    const isNext =
      Math.abs(left - this.#right) < touching &&
      style === this.#style &&
      alpha === this.#alpha &&
      top === this.#top &&
      height === this.#height;
    if (!isNext) {
      this.finish();
      this.#style = style;
      this.#alpha = alpha;
      this.#left = left;
      this.#top = top;
      this.#height = height;
    }
    this.#right = left + width;
  }

  /** Fills what is still held back: called at the end, and before anything is drawn over it. */
  finish(): void {
    if (this.#right > this.#left) {
      this.#context.globalAlpha = this.#alpha;
      this.#context.fillStyle = this.#style;
      this.#context.fillRect(this.#left, this.#top, this.#right - this.#left, this.#height);
    }
    this.#left = this.#right = 0;
  }
}
