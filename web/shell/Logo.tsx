/** Three layers of a pour over a cup's handle: the page's sign. */
export function Logo() {
  return (
    <span class="logo">
      <svg width="22" height="18" viewBox="0 0 22 18" aria-hidden="true">
        <rect x="0" y="1" width="13" height="4" rx="1" fill="var(--ph-outside)" />
        <rect x="0" y="7" width="10" height="4" rx="1" fill="var(--ph-process)" />
        <rect x="0" y="13" width="6" height="4" rx="1" fill="var(--text-3)" />
        <path
          d="M14 3h3a3.5 3.5 0 0 1 0 7h-4"
          fill="none"
          stroke="var(--text-3)"
          stroke-width="1.6"
        />
      </svg>
      <span>Crema</span>
    </span>
  );
}
