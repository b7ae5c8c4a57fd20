declare module 'virtual:postal-areas' {
  /** Latitude and longitude by the first three digits of a US postal code. */
  const areas: Readonly<Record<string, readonly [number, number] | undefined>>;
  export default areas;
}
