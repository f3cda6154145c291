import { readGatewayFile } from '../../core/config/gateway-file.ts';

/**
 * Makes the site's address that of the port on which it runs. An address of another kind was set by
 * hand and stays. Throws Error if the gateway refuses it.
 */
export async function followPort(dataDir: string, url: string): Promise<void> {
  const key = readGatewayFile(dataDir)?.key.reveal() ?? '';
  const call = async (
    init: RequestInit,
  ): Promise<{ success: boolean; data?: { key: string; value: string }[] }> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'new-api-user': '1',
      'content-type': 'application/json',
    };
    return (await fetch(`${url}/api/option/`, { ...init, headers })).json();
  };
  const current =
    (await call({})).data?.find((option) => option.key === 'ServerAddress')?.value ?? '';
  if (current === url || !/^http:\/\/127\.0\.0\.1:\d+$/.test(current)) return;
  const { success } = await call({
    method: 'PUT',
    body: JSON.stringify({ key: 'ServerAddress', value: url }),
  });
  if (!success) throw new Error('the address of the demo site could not be set');
}
