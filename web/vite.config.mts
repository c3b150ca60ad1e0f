import { defineConfig } from 'vite';

/** Where `npm start` listens unless told otherwise; pages under development get their data from there. */
const API = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // The charts; test/web/bundle.test.ts bounds what a page loads.
    chunkSizeWarningLimit: 600,
    // The policy for pages lets images, but no scripts or styles, come from data: addresses.
    assetsInlineLimit: 0,
    // The library marks its modules for servers that render; there is none here.
    rolldownOptions: {
      onLog: (level, log, next) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/v1': API } },
});
