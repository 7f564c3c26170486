/**
 * Calls a listener for the choice with which a page starts and after each choice. The signals use this event, because
 * they are files of their own in front of the banner.
 * @param listener gets whether a category is accepted: false for categories that the site does not have
 */
export function onConsent(listener: (has: (category: string) => boolean) => void): void {
  document.addEventListener('pavis:change', (event) => {
    const { accepted } = (event as CustomEvent<{ accepted: string[] }>).detail;
    listener((category) => accepted.includes(category));
  });
}
