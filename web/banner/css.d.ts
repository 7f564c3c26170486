declare module '*.css?inline' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports it so
  export default text;
}
