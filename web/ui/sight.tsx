import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';

/** A place on the page: of what is asked at the same time, what is in sight is asked first. */
export class Place {
  readonly #away = new Set<Element>();
  #panels = 0;

  /** None of its panels is known to be out of sight. */
  get isInSight(): boolean {
    return this.#away.size === 0 || this.#away.size < this.#panels;
  }

  /** Until the function that it returns is called. */
  watch(panel: Element): () => void {
    this.#panels += 1;
    places.set(panel, this);
    sight ??= new IntersectionObserver(tellAll);
    sight.observe(panel);
    return () => {
      sight?.unobserve(panel);
      places.delete(panel);
      this.#panels -= 1;
      this.#away.delete(panel);
    };
  }

  tell(panel: Element, isThere: boolean): void {
    if (isThere) this.#away.delete(panel);
    else this.#away.add(panel);
  }
}

const places = new WeakMap<Element, Place>();
let sight: IntersectionObserver | undefined;
function tellAll(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries)
    places.get(target)?.tell(target, isIntersecting);
}

/** Of what stands in no grid: nothing is known of it. */
export const anywhere = new Place();
const PlaceContext = createContext(anywhere);
export const usePlace = (): Place => useContext(PlaceContext);

/** Tells its place whether a panel is in sight. */
export function useSight(panel: RefObject<Element | null>): void {
  const place = usePlace();
  useLayoutEffect(
    () => (panel.current && place !== anywhere ? place.watch(panel.current) : undefined),
    [place],
  );
}

function Placed({ children }: { children: ComponentChildren }) {
  const [place] = useState(() => new Place());
  return <PlaceContext.Provider value={place}>{children}</PlaceContext.Provider>;
}

/** A view's panels, each a place of its own; those of a list are one. */
export function Grid({
  even = false,
  children,
}: {
  even?: boolean;
  children: ComponentChildren[];
}) {
  return (
    <div class={even ? 'grid grid-even' : 'grid'}>
      {[children].flat().map((child, index) => (
        <Placed key={index}>{child}</Placed>
      ))}
    </div>
  );
}
