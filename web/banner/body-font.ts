/** Gives the banner the font of the page. The server inserts this where `consent.appearance.font` is `inherit`. */
function inheritFont(): void {
  // Before a frame is drawn, the style sheets of the page have loaded.
  if (!document.body) {
    requestAnimationFrame(inheritFont);
    return;
  }
  const sheet = new CSSStyleSheet();
  // The banner stands beside the body and cannot inherit from it.
  sheet.replaceSync(`pavis-banner{font-family:${getComputedStyle(document.body).fontFamily}}`);
  document.adoptedStyleSheets.push(sheet);
}

requestAnimationFrame(inheritFont);
