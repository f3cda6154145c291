/** `options oidc` with a real provider. */
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { startOidcProvider } from '../../support/oidc-provider.ts';
import { runCli } from '../run-cli.ts';

test('options oidc sets the addresses of the discovery document, or none', async () => {
  const { app } = await createTestApp();
  const provider = await startOidcProvider(() => 'https://gate.example/oauth/oidc');
  const turnpike = (line: string) =>
    runCli(line.split(' '), {
      transport: createLocalTransport(app, undefined, 'en'),
      environment: { LANG: 'en_US.UTF-8' },
    });
  const lost = await turnpike(`options oidc ${provider.url}/nothing`);
  expect(lost.exitCode).not.toBe(0);
  expect(lost.stderr).toContain('The login provider could not be reached');
  expect(app.site.options.get('oidc.token_endpoint')).toBe('');
  const set = await turnpike(`options oidc ${provider.wellKnown}`);
  expect(set.exitCode).toBe(0);
  expect(set.stderr).toContain(`Set the addresses of ${provider.url}`);
  expect(app.site.options.values()).toMatchObject({
    'oidc.well_known': provider.wellKnown,
    'oidc.authorization_endpoint': `${provider.url}/auth`,
    'oidc.token_endpoint': `${provider.url}/token`,
    'oidc.user_info_endpoint': `${provider.url}/me`,
  });
});
