/**
 * Keeps all files of the page in the browser. Resolves when it works without a network, and never
 * where there are no service workers, as in some private windows.
 *
 * @param url The service worker, which the build writes.
 */
export async function keepOffline(url: URL): Promise<void> {
  if (!("serviceWorker" in navigator)) return await new Promise(() => {});
  await navigator.serviceWorker.register(url);
  // it is ready once it has stored every file
  await navigator.serviceWorker.ready;
}
