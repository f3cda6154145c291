/** What providers do with a base URL that ends in `/v1` (docs/rules/providers.md#addresses-and-headers). */
import type { Call } from '../canonical/call.ts';
import type { Provider } from '../canonical/provider.ts';
import { Secret } from '../kernel/secret.ts';

const base = 'https://upstream.example';
const known = new WeakMap<Provider, boolean>();

/**
 * Whether a chat goes to the same address with and without `/v1` at the end of the base URL. False
 * where the provider writes another path, or needs more than a base URL to tell; true where it has
 * no chats, of which nothing bad is known.
 */
export function takesVersion(provider: Provider): boolean {
  const found = known.get(provider) ?? isSameAddress(provider);
  known.set(provider, found);
  return found;
}

function isSameAddress({ operations, settings, models }: Provider): boolean {
  const model = models[0] ?? 'model';
  const call: Omit<Call, 'baseUrl'> = {
    key: new Secret('key'),
    model,
    clientPath: '',
    clientHeaders: {},
    other: '',
    settings: settings.safeParse({}).data,
    options: { vendor: {} },
    now: new Date(0),
  };
  const addressAt = (baseUrl: string) =>
    operations.chat?.encode(
      {
        model,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        stream: false,
        origin: 'openai-chat',
        extra: {},
      },
      { ...call, baseUrl },
    ).url;
  try {
    const address = addressAt(base);
    return address === addressAt(`${base}/v1`);
  } catch {
    return false;
  }
}
