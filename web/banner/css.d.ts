declare module '*.css?inline' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how the build gives it
  export default text;
}
