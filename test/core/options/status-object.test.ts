import { describe, expect, it } from 'vitest';
import { defaultOptions } from '../../../src/core/options/registry.ts';
import { serverStatus } from '../../../src/core/options/status-object.ts';

const facts = { version: '0.1.0', startTime: 1_795_000_000, isSetUp: true, port: 3000 };

/** Keys of the server status (docs/rules/options.md#server-status). */
const keys =
  `version start_time setup notice_id has_home_page system_name logo footer_html server_address email_verification github_oauth github_client_id
  linuxdo_oauth linuxdo_client_id linuxdo_minimum_trust_level oidc_enabled oidc_client_id oidc_authorization_endpoint telegram_oauth
  telegram_bot_name wechat_login wechat_qrcode turnstile_check turnstile_site_key price min_topup top_up_link enable_online_topup
  enable_epay enable_wechat_pay docs_link quota_per_unit display_in_currency enable_drawing enable_task enable_data_export
  data_export_default_time data_export_interval default_collapse_sidebar mj_notify_enabled enable_batch_update chats chat_link chat_link2
  demo_site_enabled self_use_mode_enabled phone_login password_login passkey_login password_register register_enabled sms_delivery`.split(
    /\s+/,
  );

describe('the server status object', () => {
  it('has every key, and no other', () => {
    expect(Object.keys(serverStatus(defaultOptions(), facts)).sort()).toEqual([...keys].sort());
  });

  it('shows the site as visitors may see it', () => {
    const options = {
      ...defaultOptions(),
      SystemName: 'Toll',
      Footer: '<b>x</b>',
      DefaultCollapseSidebar: true,
      QuotaPerUnit: 100,
    };
    expect(serverStatus(options, facts)).toMatchObject({
      version: '0.1.0',
      start_time: 1_795_000_000,
      setup: true,
      system_name: 'Toll',
      logo: '/logo.png',
      footer_html: '<b>x</b>',
      default_collapse_sidebar: true,
      quota_per_unit: 100,
      display_in_currency: true,
      price: 7.3,
      password_login: true,
      password_register: true,
      register_enabled: true,
      data_export_default_time: 'hour',
      enable_batch_update: false,
    });
  });

  it('falls back to its own address', () => {
    expect(serverStatus(defaultOptions(), facts).server_address).toBe('http://localhost:3000');
    expect(
      serverStatus({ ...defaultOptions(), ServerAddress: 'https://t.example' }, facts)
        .server_address,
    ).toBe('https://t.example');
  });

  it('reports a payment method only when everything that it needs is set', () => {
    const epay = {
      ...defaultOptions(),
      PayAddress: 'https://pay.example',
      EpayId: '1',
      EpayKey: 'k',
    };
    expect(serverStatus(epay, facts)).toMatchObject({
      enable_online_topup: true,
      enable_epay: true,
    });
    for (const key of ['PayAddress', 'EpayId', 'EpayKey'])
      expect(serverStatus({ ...epay, [key]: '' }, facts)).toMatchObject({
        enable_online_topup: false,
        enable_epay: false,
      });
  });

  it('contains no secret', () => {
    const filled = Object.fromEntries(
      Object.entries(defaultOptions()).map(([key, value]) => [
        key,
        value === '' ? `filled-${key}` : value,
      ]),
    ) as unknown as ReturnType<typeof defaultOptions>;
    expect(JSON.stringify(serverStatus(filled, facts))).not.toMatch(
      /filled-\w*(\.\w*)?(token|secret|privatekey|EpayKey|v3key)"/i,
    );
  });
});
