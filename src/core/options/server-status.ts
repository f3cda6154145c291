/**
 * The server status object (docs/rules/options.md#server-status): what every visitor may know about
 * the site.
 */
export interface ServerStatus {
  readonly version: string;
  /** Unix seconds. */
  readonly start_time: number;
  readonly setup: boolean;
  readonly system_name: string;
  readonly logo: string;
  readonly footer_html: string;
  /** Changes with the notice; '' where there is none. */
  readonly notice_id: string;
  readonly has_home_page: boolean;
  readonly server_address: string;
  readonly email_verification: boolean;
  readonly github_oauth: boolean;
  readonly github_client_id: string;
  readonly linuxdo_oauth: boolean;
  readonly linuxdo_client_id: string;
  readonly linuxdo_minimum_trust_level: number;
  readonly oidc_enabled: boolean;
  readonly oidc_client_id: string;
  readonly oidc_authorization_endpoint: string;
  readonly telegram_oauth: boolean;
  readonly telegram_bot_name: string;
  readonly wechat_login: boolean;
  readonly wechat_qrcode: string;
  readonly turnstile_check: boolean;
  readonly turnstile_site_key: string;
  readonly price: number;
  readonly min_topup: number;
  readonly top_up_link: string;
  readonly enable_online_topup: boolean;
  readonly enable_epay: boolean;
  readonly enable_wechat_pay: boolean;
  readonly docs_link: string;
  readonly quota_per_unit: number;
  readonly display_in_currency: boolean;
  readonly enable_drawing: boolean;
  readonly enable_task: boolean;
  readonly enable_data_export: boolean;
  readonly data_export_default_time: string;
  readonly data_export_interval: number;
  readonly default_collapse_sidebar: boolean;
  readonly mj_notify_enabled: boolean;
  readonly enable_batch_update: boolean;
  readonly chats: readonly Readonly<Record<string, string>>[];
  readonly chat_link: string;
  readonly chat_link2: string;
  readonly demo_site_enabled: boolean;
  readonly self_use_mode_enabled: boolean;
  readonly phone_login: boolean;
  /**
   * Whether codes reach phones; false: they are written to the server's log
   * (docs/rules/notices.md#text-messages).
   */
  readonly sms_delivery: boolean;
  readonly password_login: boolean;
  readonly passkey_login: boolean;
  readonly password_register: boolean;
  readonly register_enabled: boolean;
}
