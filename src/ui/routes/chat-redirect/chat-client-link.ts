/**
 * The address of a ChatGPT Next Web with key and server in its settings, as One API and New API
 * write it. Null: `client` is no address that a page may lead to.
 */
export function chatClientLink(
  client: string,
  { key, address }: { readonly key: string; readonly address: string },
): string | null {
  const base = client.trim().replace(/\/+$/, '');
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) return null;
  return `${base}/#/?settings=${encodeURIComponent(JSON.stringify({ key, url: address }))}`;
}
