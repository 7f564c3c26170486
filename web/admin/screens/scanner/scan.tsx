export function ScanScreen() {
  return null;
}
