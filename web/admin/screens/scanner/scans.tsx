export function Scans() {
  return null;
}
