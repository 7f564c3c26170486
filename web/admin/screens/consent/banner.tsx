export function BannerSettings() {
  return null;
}
