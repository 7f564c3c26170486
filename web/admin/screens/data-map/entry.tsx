export function NewEntry() {
  return null;
}
export function EntryScreen() {
  return null;
}
