/** `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` and `rgb(1 2 3 / 50%)`, as browsers compute colours. */
const RGB = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)\s*(?:[,/]\s*([\d.]+)(%?)\s*)?\)$/;

/** Relative luminance as defined by WCAG 2.2; undefined for other notations and translucent colours. */
function getLuminance(color: string): number | undefined {
  const match = RGB.exec(color.trim());
  if (!match) return undefined;
  const [, red, green, blue, alpha = '1', percent] = match;
  if (Number(alpha) / (percent ? 100 : 1) < 1) return undefined;
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const value = Math.min(255, Number(channel)) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of two CSS colours as defined by WCAG 2.2, from 1 to 21; undefined if one cannot be measured. */
export function getContrast(one: string, other: string): number | undefined {
  const [a, b] = [getLuminance(one), getLuminance(other)];
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
