import { z } from 'zod';
import { languages } from '../vocabulary/languages.ts';
import { ownCredentials } from './auth.ts';
import { endpoint, nothing } from './endpoint.ts';

/** The server status object (docs/rules/options.md#server-status). Further keys are allowed. */
export const serverStatus = z.looseObject({
  version: z.string(),
  start_time: z.number().int(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  /** Changes with the notice; '' where there is none. */
  notice_id: z.string(),
  /** Whether `/` shows a page of the site's own. */
  has_home_page: z.boolean(),
  server_address: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  docs_link: z.string(),
  price: z.number(),
  min_topup: z.number(),
  top_up_link: z.string(),
  enable_epay: z.boolean(),
  enable_wechat_pay: z.boolean(),
  enable_data_export: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  data_export_default_time: z.string(),
  /** Minutes after which an open dashboard asks again. */
  data_export_interval: z.number().int(),
  default_collapse_sidebar: z.boolean(),
  demo_site_enabled: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  password_login: z.boolean(),
  passkey_login: z.boolean(),
  password_register: z.boolean(),
  register_enabled: z.boolean(),
});

export const systemApi = {
  setupStatus: endpoint({
    method: 'GET',
    path: '/api/setup',
    access: 'visitor',
    input: nothing,
    output: z.object({ status: z.boolean(), root_init: z.boolean(), database_type: z.string() }),
    summary: 'Whether the site has been set up',
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/setup',
    access: 'visitor',
    rate: 'critical',
    keepsStatus: true,
    input: z.object({
      ...ownCredentials,
      confirmPassword: z.string().default(''),
      SelfUseModeEnabled: z.boolean().default(false),
      DemoSiteEnabled: z.boolean().default(false),
      SystemName: z.string().optional(),
      SiteLanguage: z.enum(languages).optional(),
      setup_token: z.string().default(''),
    }),
    output: z.undefined(),
    summary: 'Set the site up: root user, name, language (that of the request unless given) and use mode',
  }),
  checkSetupToken: endpoint({
    method: 'POST',
    path: '/api/turnpike/setup/check',
    access: 'visitor',
    rate: 'critical',
    input: z.object({ setup_token: z.string() }),
    output: z.object({ valid: z.boolean() }),
    summary: 'Whether a setup code is the one printed in the terminal',
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/status',
    access: 'visitor',
    input: nothing,
    output: serverStatus,
    summary: 'What every page needs to know about the site',
  }),
  statusTest: endpoint({
    method: 'GET',
    path: '/api/status/test',
    access: 'admin',
    keepsStatus: true,
    input: nothing,
    output: z.undefined(),
    summary: 'Whether the database answers',
  }),
  latestRelease: endpoint({
    method: 'GET',
    path: '/api/status/latest_release',
    access: 'admin',
    input: nothing,
    /** `body`: what changed, in Markdown. */
    output: z.object({ tag_name: z.string(), body: z.string() }),
    summary: 'Latest public release of the program',
  }),
  notice: endpoint({
    method: 'GET',
    path: '/api/notice',
    access: 'visitor',
    input: nothing,
    output: z.string(),
    summary: 'Notice',
  }),
  about: endpoint({
    method: 'GET',
    path: '/api/about',
    access: 'visitor',
    input: nothing,
    output: z.string(),
    summary: 'About page',
  }),
  homePage: endpoint({
    method: 'GET',
    path: '/api/home_page_content',
    access: 'visitor',
    input: nothing,
    output: z.string(),
    summary: 'Home page',
  }),
};
