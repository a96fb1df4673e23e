/** Chances of a change that is none, from which the slider of History's sensitivity chooses. */
export const chances = [-6, -5, -4, -3, -2, -1.3, -1].map((power) => 10 ** power);

/** The place of the one that History begins with. */
export const usualChance = 4;

/** Options of `history_levels`. */
export const levelOptions = (place = usualChance) => ({ p_value: chances[place] ?? 0.01 });
