import type { errors as zhErrors } from '../zh/errors.ts';

export const errors = {
  'error.token_missing': 'No token provided',
  'error.token_unknown': 'Invalid token',
  'error.token_exhausted': 'The token has used up its quota',
  'error.token_expired': 'The token has expired',
  'error.token_disabled': 'The token is disabled',
  'error.token_changing':
    'The token or its account is being changed at this moment. Try again shortly',
  'error.user_deactivated': 'The account is deactivated',
  'error.user_banned': 'The account has been banned',
  'error.channel_pin_forbidden': 'Regular users cannot specify a channel',
  'error.channel_pin_invalid': 'The channel ID in the key is invalid',
  'error.channel_pin_disabled': 'The channel specified in the key is disabled',
  'error.ip_not_allowed': 'Your IP address is not allowed to use this token',
  'error.group_not_allowed': 'You cannot use the group[ {group}]',
  'error.group_retired': 'The group[ {group}] no longer exists',
  'error.model_not_allowed': 'This token cannot use the model[ {model}]',

  'error.invalid_json': 'The body is not valid JSON',
  'error.invalid_request': 'Invalid request[: {detail}]',
  'error.model_required': 'The request does not specify a model',
  'error.invalid_text_request': 'Invalid chat request[: {detail}]',
  'error.invalid_embedding_request': 'Invalid embedding request[: {detail}]',
  'error.invalid_image_request': 'Invalid image request[: {detail}]',
  'error.invalid_audio_request': 'Invalid audio request[: {detail}]',
  'error.invalid_query': 'Invalid query[: {detail}]',
  'error.invalid_documents': 'Invalid documents[: {detail}]',
  'error.invalid_form': 'The body is not a valid multipart form[: {detail}]',
  'error.invalid_claude_request': 'Invalid Messages request[: {detail}]',
  'error.unsupported_feature': 'The upstream does not support this[: {detail}]',
  'error.unsupported_operation': 'The channel does not support this kind of request[: {detail}]',
  'error.unsupported_encoding': 'Unsupported content encoding[: {encoding}]',
  'error.invalid_encoding': 'The body cannot be decompressed',
  'error.request_too_complex':
    'The body contains too many or too deeply nested JSON values[; the limit is {most}]',
  'error.request_too_large': 'The body is too large[; the limit is {limit} MB]',
  'error.sensitive_words_detected': 'illegal text: sensitive words detected',
  'error.file_unreachable': 'The file cannot be downloaded[ from {host}]',
  'error.file_too_large': 'The file is too large[; the limit is {limit} MB]',
  'error.address_not_allowed': 'Access to this address is not allowed[: {host}]',
  'error.file_missing': 'No file was sent',
  'error.too_many_files': 'Too many files[; at most {limit} at a time]',
  'error.image_type_unsupported': 'Unsupported image type. Use JPEG or PNG',
  'error.image_damaged': 'The image is damaged and cannot be used',
  'error.image_too_large': 'The image has too many pixels[; at most {limit} megapixels]',
  'error.image_sides_invalid':
    'The image is too small or too large[: each side must have {min} to {max} pixels][, it has {width} × {height}]',
  'error.upload_not_found': 'The uploaded image no longer exists. Upload it again',
  'error.upload_space_used':
    'Your uploaded files take up all the space you may use[ ({limit} MB)]. They are deleted after 7 days',
  'error.storage_full': 'The server has no space left for files. Try again later',
  'error.result_not_ready': 'The task has no result yet',
  'error.result_gone': 'The result is no longer available',
  'error.result_unreachable': 'The result cannot be downloaded from the provider',
  'error.link_invalid': 'The link is invalid or has expired',
  'error.request_overcompressed':
    'The body decompresses to far more than its size[ (over {ratio} times)]',
  'error.too_much_in_flight':
    'Your requests under way hold too much data at once[; the limit is {limit} MB]. Wait for some to finish',
  'error.rate_limited': 'Too many requests[; try again in {seconds} {seconds:second|seconds}]',
  'error.websocket_required': 'This endpoint requires a WebSocket connection',
  'error.api_not_implemented': 'This API is not implemented',
  'error.unknown_url': 'Invalid URL[ ({method} {path})]',
  'error.previous_response_not_found': "Previous response[ with id '{id}'] not found.",
  'error.response_item_not_found': "Item[ with id '{id}'] not found.",
  'error.conversation_not_found': "Conversation[ with id '{id}'] not found.",
  'error.conversation_locked':
    'Another process is currently operating on this conversation. Please retry in a few seconds.',
  'error.conversation_not_stored':
    'There is no room for it: the site keeps no contents, your space is used up, or the conversation has too many items.',
  'error.response_not_found': "Response[ with id '{id}'] not found.",
  'error.response_not_cancellable': 'Only background responses can be cancelled.',
  'error.background_not_stored':
    'A background response must be stored: do not send store: false, and delete responses where your space is used up.',
  'error.too_many_background':
    'Too many background responses are under way[ (at most {limit})], please wait',
  'error.model_not_found': 'The model[ {model}] does not exist',

  'error.model_mapped_error':
    "The channel's model mapping contains a cycle[ at {model}]. Contact the administrator",
  'error.tasks_disabled': 'Music and video tasks are switched off on this site',
  'error.drawing_disabled': 'Drawing is switched off on this site',
  'error.result_link_invalid': 'The link is not valid any more: open the task again',
  'error.task_not_exist': 'The task does not exist',
  'error.task_channel_disabled': 'The channel that this task belongs to is disabled',
  'error.drawing_refused': '[{detail}]',
  'error.model_price_error':
    'The model[ {model}] has no price. Ask the administrator to set one, or allow unpriced models in your settings',
  'error.insufficient_user_quota': 'Insufficient balance[: {quota} left, {need} needed]',
  'error.pre_consume_token_quota_failed': 'Insufficient token quota[: {quota} left, {need} needed]',
  'error.budget_exceeded':
    'The budget [{budget} ]is used up[: {left} left, {need} needed][; it begins anew at {until}]. Nothing was charged',
  'error.tags_invalid':
    'The header x-turnpike-tags is invalid[ at “{tag}”]: it has at most 10 tags, separated by commas, of up to 64 letters, digits, spaces and _ . : / @ + = # -',
  'error.budget_closed':
    'The budget [{budget} ]lets nothing be spent at this time[; it opens at {until}]',
  'error.rate_requests':
    'Too many requests in a minute[: {budget} allows {limit}][. Try again in {seconds} {seconds:second|seconds}]',
  'error.rate_tokens':
    'Too many tokens in a minute[: {budget} allows {limit}][. Try again in {seconds} {seconds:second|seconds}]',
  'error.rate_parallel':
    'Too many requests at the same time[: {budget} allows {limit}]. Try again when one of them is over',
  'error.fence_requests':
    'Stopped: this conversation or agent has used up the requests that its budget[ ({budget})] allows[: {requests}]. Its owner can let it go on',
  'error.fence_minutes':
    'Stopped: this conversation or agent has used up the minutes that its budget[ ({budget})] allows[: {minutes}]. Its owner can let it go on',
  'error.fence_repeats':
    'Stopped: this conversation runs in circles. The same was done more often in a row than its budget[ ({budget})] allows[: {times} times]. Do something else, or let its owner decide',
  'error.fence_pace':
    'Stopped: this conversation or agent spends far faster than its key usually does[: {times} times as much in the last {minutes} minutes][. The budget is {budget}]. Its owner can let it go on',
  'error.small_hold_busy':
    'Your balance is low, so requests run one at a time. Wait for the previous one to finish',
  'error.database_replaced':
    'A file of the database was deleted or replaced while the gateway runs, so it writes nothing any more. The administrator has to check it (turnpike doctor) and restart the gateway',
  'error.ledger_unavailable':
    'The ledger is not available[: {problem}][ ({reason})][, {waiting} {waiting:settlement waits|settlements wait} for it]. Try again shortly',
  'error.ledger_outcome_unknown':
    'The database does not reply, and it is not known whether this was written. Look it up before you try again',
  'error.amount_limit': 'The amount must be a whole number[ of at most {max}]',
  'error.balance_limit':
    'The balance would be out of range[. The largest possible balance is {max}]',
  'error.ledger_refused':
    'The ledger rejected this entry. The administrator can find the details in the server log',
  'error.ledger_conflict': 'The account has changed in the meantime. Reload and try again',

  'error.no_channel': 'No channel is available[ for {model}][ in the group {group}]',
  'error.get_playground_channel_failed':
    'No channel is available[ for {model}][ in the group {group}]',
  'error.server_busy': 'The gateway is handling too much data right now. Try again shortly',
  'error.shutting_down': 'The gateway is stopping. Try again shortly',

  'error.convert_request_failed':
    'The request cannot be converted to the upstream format[: {detail}]',
  'error.refused_by_rule': 'A channel rule rejected the request[: {detail}]',
  'error.do_request_failed': 'The upstream cannot be reached',
  'error.upstream_cut': 'The upstream broke off before its answer was complete',
  'error.upstream_timeout': 'The upstream did not respond in time',
  'error.bad_response_status_code': 'The upstream returned an error status[ {status}][: {detail}]',
  'error.bad_response_body': 'The upstream response cannot be read[: {detail}]',
  'error.empty_response': 'The upstream returned an empty response',
  'error.prompt_blocked': 'The upstream rejected this content[: {detail}]',
  'error.upstream_error': 'The upstream returned an error[: {detail}]',
  'error.upstream_unauthorized': "The upstream rejected the channel's account",
  'error.upstream_saturated': 'The upstream is at capacity. Try again later',
  'error.invalid_channel_key': 'The channel key has the wrong format[: {detail}]',
  'error.client_gone': 'The client disconnected',
  'error.key_unreadable':
    'This key is stored, but cannot be decrypted: its row was damaged, or written with another key. Enter it anew, or restore a backup',
  'error.internal_error': 'Internal server error. Contact the administrator',

  'error.not_signed_in': 'Not logged in and no access token given',
  'error.user_id_missing': 'User ID header missing',
  'error.user_id_malformed': 'User ID header malformed',
  'error.user_id_mismatch': 'User ID header does not match the logged-in user',
  'error.access_token_invalid': 'Invalid access token',
  'error.access_token_not_supported': 'Access tokens cannot be used here. Log in to the console',
  'error.forbidden': 'Insufficient permission',
  'error.cross_site_request':
    'Requests from other sites, and from images and links, are not accepted',
  'error.already_set_up': 'The site is already set up',
  'error.setup_token_wrong': 'Wrong setup code. Use the one shown in the terminal',
  'error.passwords_differ': 'The passwords do not match',
  'error.not_set_up': 'The site has not been set up yet',
  'error.invalid_parameter': 'Invalid parameter[: {field}][ {value}][: {reason}]',
  'error.not_found': 'Not found[: {what}]',
  'error.conflict': 'Conflicts with existing data[: {field}]',
  'error.password_login_disabled': 'Password login is disabled by the administrator',
  'error.registration_disabled': 'Registration is disabled by the administrator',
  'error.wrong_credentials': 'Wrong username or password, or the account is banned',
  'error.oauth_state_invalid': 'This login attempt has expired. Start again',
  'error.sign_in_method_disabled': 'The administrator has not enabled this login[: {provider}]',
  'error.provider_failed':
    'The login provider could not be reached or gave an unexpected reply[: {provider}]. Try again later, or ask the administrator to check its settings',
  'error.provider_refused': 'The provider refused the login[: {reason}]',
  'error.provider_account_inactive': 'Your[ {provider}] account is inactive or silenced',
  'error.trust_level_too_low': 'Your LinuxDO trust level is too low[; at least {min} is required]',
  'error.id_token_invalid': 'The identity that the OIDC provider sent could not be verified',
  'error.wechat_code_invalid': 'The WeChat code is wrong or has expired',
  'error.telegram_invalid': 'The Telegram login is invalid or has expired. Start again',
  'error.identity_taken': 'This[ {provider}] account is already linked',
  'error.identity_unbound': 'This[ {provider}] account is not linked to any user',
  'error.identity_bind_again':
    'Your GitHub account could not be matched by its email address. Log in another way and link GitHub again',
  'error.last_sign_in_method':
    'This is your last way to log in. Set a password or link another account first',
  'error.sign_in_busy': 'Too many people are logging in at the moment. Try again in a few seconds',
  'error.account_locked':
    'Too many failed logins[; try again in {minutes} {minutes:minute|minutes}]',
  'error.second_factor_required': 'Confirm this login with your second factor',
  'error.second_factor_invalid': 'The code is wrong or has expired',
  'error.second_factor_used': 'This code has been used. Wait for the next one',
  'error.second_factor_setup_required':
    'Administrators of this site need a second factor. Set one up in your personal settings first',
  'error.sign_in_expired': 'This login took too long or had too many tries. Log in again',
  'error.step_up_required': 'Confirm that it is you first, or log in again',
  'error.session_required': 'This can only be done in the console, not with an access token',
  'error.passkey_invalid': 'The passkey was not accepted',
  'error.passkey_unavailable':
    'Passkeys need a server address with a domain name and https, and a passkey that was made for it',
  'error.too_many_passkeys': 'There are too many passkeys[; at most {max}]. Remove one first',
  'error.username_taken': 'The username is taken or belonged to a deactivated account',
  'error.username_invalid':
    'A username must not be empty or contain spaces[, and must have at most {max} characters]',
  'error.password_invalid':
    'The password has the wrong length[: at least {min} characters, at most {max} bytes]',
  'error.password_too_common':
    'This password is among the first that are guessed; choose another one',
  'error.original_password_wrong': 'The current password is wrong',
  'error.group_unknown': 'The group[ {group}] does not exist',
  'error.user_read_forbidden': 'You cannot view users of your own level or above',
  'error.user_update_forbidden': 'You cannot change users of your own level or above',
  'error.user_create_forbidden': 'You cannot create users of your own level or above',
  'error.user_delete_forbidden': 'You cannot delete users of your own level or above',
  'error.user_role_forbidden': 'You cannot raise a user to your own level or above',
  'error.root_cannot_be_disabled': 'The super admin cannot be banned',
  'error.root_cannot_be_deleted': 'The super admin cannot be deleted',
  'error.root_cannot_be_demoted': 'The super admin cannot be demoted',
  'error.deactivated_cannot_be_enabled': 'A deactivated user cannot be unbanned',
  'error.only_root_promotes': 'Only the super admin can promote users',
  'error.already_admin': 'The user is already an admin',
  'error.already_user': 'The user is already a regular user',
  'error.already_deactivated': 'The user is already deactivated',
  'error.not_on_yourself': 'You cannot do this to your own account; use your own settings',
  'error.own_quota_forbidden': 'You cannot add quota to your own account; ask the super admin',
  'error.transfer_too_small': 'The amount is too small to transfer[: the minimum is {min}]',
  'error.invite_quota_insufficient': 'Insufficient invite quota',
  'error.warning_type_invalid': 'Invalid warning type',
  'error.mail_not_configured': 'The SMTP server is not configured',
  'error.mail_address_invalid': 'Invalid email address',
  'error.mail_failed': 'The email could not be sent',
  'error.webhook_failed': 'The webhook could not be delivered[ (HTTP {status})]',
  'error.no_notice_address':
    'There is nowhere to send notices: save a webhook URL or an email address first',
  'error.test_notice_too_soon':
    'Too many test notices[; try again in {seconds} {seconds:second|seconds}]',
  'error.mail_too_soon':
    'An email was just sent to this address[; try again in {seconds} {seconds:second|seconds}]',
  'error.server_address_missing':
    'The site does not know its own address yet. The administrator sets it in the system settings',
  'error.email_and_code_required': 'Enter your email address and the verification code',
  'error.email_domain_forbidden': 'Addresses of this email provider are not accepted',
  'error.email_alias_forbidden': 'Email addresses with + or . before the @ are not accepted',
  'error.email_taken': 'This email address belongs to another account',
  'error.verification_code_invalid': 'The verification code is wrong or has expired',
  'error.phone_login_disabled': 'Phone login is disabled by the administrator',
  'error.phone_invalid':
    'Enter a valid phone number; numbers outside of mainland China need their country code, where the site allows it',
  'error.phone_taken': 'This phone number belongs to another account',
  'error.phone_not_bound': 'No phone number is linked',
  'error.phone_check_required':
    'This account is protected by a phone check; log in on the login page',
  'error.check_code_invalid': 'This login has expired; log in again',
  'error.sms_not_configured':
    'Text messages are not set up on this site; contact the administrator',
  'error.sms_failed': 'The text message could not be sent',
  'error.sms_too_soon':
    'A code was just sent to this number[; try again in {seconds} {seconds:second|seconds}]',
  'error.sms_limit': 'Too many codes were sent[; try again in {minutes} {minutes:minute|minutes}]',
  'error.human_check_missing': 'The human check is not finished; wait a few seconds',
  'error.human_check_failed': 'The human check failed; refresh the page and try again',
  'error.human_check_unavailable': 'The human check is not available right now; try again later',
  'error.reset_link_invalid': 'The reset link is invalid or has expired',
  'error.not_me_link_invalid':
    'This link was used already or has expired. If your account is still at risk, reset the password',
  'error.webhook_url_invalid': 'The webhook URL must be a public https address',
  'error.demo_site': 'This is a demo site; nothing can be changed',

  'error.name_required': 'Name cannot be empty!',
  'error.name_too_long': 'The name is too long[; at most {max} characters]',
  'error.expiry_invalid': 'Expiration time format error!',
  'error.token_quota_invalid': 'Quota must be a whole number, 0 or more',
  'error.allow_ips_invalid': 'The IP list contains an invalid line[: {line}]',
  'error.token_still_expired': 'The token has expired. Change its expiry before enabling it',
  'error.token_still_exhausted': 'The token has no quota left. Add some before enabling it',
  'error.bulk_too_many': 'Too many rows match[; one change takes at most {max}]: narrow the filter',
  'error.playground_full':
    'No more can be kept on the server[: the limit is {max} entries and {mb} MB]; delete some first',
  'error.chat_history_off': 'You keep no conversations on the server',
  'error.too_many_tokens': 'No more tokens can be created[; the limit is {max}]',
  'error.channel_name_and_key_required': 'Please fill in the channel name and channel key!',
  'error.channel_models_required': 'Please select at least one model!',
  'error.channel_type_unknown': 'Unknown channel type[: {type}]',
  'error.channel_region_required': 'This type of channel needs a region',
  'error.channel_other_required': 'This type of channel needs its extra field[: {field}]',
  'error.channel_other_invalid': 'The extra field cannot be used[: {field}]',
  'error.channel_key_required_again':
    'The channel gets a new address or proxy: enter its key again',
  'error.header_text_invalid':
    'Only printable Latin characters are allowed, no line breaks[: {field}]',
  'error.channel_base_url_required': 'This type of channel needs a base URL',
  'error.model_name_too_long': 'The model name is too long[; at most {max} characters][: {model}]',
  'error.json_object_required': '[{field}: ]a JSON object is required',
  'error.channel_rule_invalid': "The channel's settings are invalid[: {field} {reason}]",
  'error.model_mapping_cycle': 'The model mapping contains a cycle[: {model}]',
  'error.weight_invalid': 'Weight must be a whole number, 0 or more',
  'error.release_address_missing':
    'Set RELEASE_URL to the address of the latest release to check for updates',
  'error.release_lookup_failed': 'The latest release could not be read. Try again later',
  'error.channel_last_key': 'A channel needs an enabled key: disable the channel instead',
  'error.channel_test_unsupported': 'This type of channel cannot be tested',
  'error.channel_test_running': 'A test is already running',
  'error.channel_balance_unsupported': 'This type of channel does not support balance queries',
  'error.model_list_unreadable': 'This is no list of models in a known format',
  'error.model_list_unsigned': 'The list of models is not signed with the site’s key',
  'error.model_sync_running': 'Another sync of models is being stored; try again',
  'error.model_list_expired': 'The list of models has expired',
  'error.model_list_outdated': 'The list of models is older than one that was adopted',
  'error.channel_models_unsupported': 'This type of channel does not support listing models',
  'error.tag_required': 'Tag cannot be empty',
  'error.budget_field_invalid': 'The budget has an invalid value[: {field}]',
  'error.budget_forbidden':
    'This budget was set for you by somebody else, or is about what is not yours',
  'error.code_name_invalid':
    'The name of a redemption code has the wrong length[: {min} to {max} characters]',
  'error.code_count_invalid': 'The number of codes is out of range[: 1 to {max}]',
  'error.code_quota_invalid':
    'The quota of a redemption code must be a whole number[ from 0 to {max}]',
  'error.code_not_unused': 'Only unused redemption codes can be changed',
  'error.code_missing': 'Enter the redemption code',
  'error.code_unknown': 'Invalid redemption code',
  'error.code_used': 'The redemption code is already used or disabled',
  'error.code_expired': 'The redemption code has expired',
  'error.catalog_model_exists': 'The model square already has this model[: {model}]',
  'error.catalog_model_unknown': 'The model square has no such model[: {model}]',
  'error.catalog_field_required': 'A required field is empty[: {field}]',
  'error.catalog_field_too_long': 'The text is too long[; at most {max} characters][: {field}]',
  'error.catalog_too_many_words': 'There are too many entries[; at most {max}][: {field}]',
  'error.catalog_model_invalid':
    'A model name has no spaces around it, no control characters, and no path segment that is empty or made of dots',
  'error.catalog_icon_invalid':
    'The icon must be the address of an image: http(s), a path of this site, or data:image up to 64 KB',
  'error.catalog_date_invalid': 'The date must have the form yyyy-MM-dd',
  'error.catalog_context_invalid': 'The context must have the form 32K or 1M',
  'error.catalog_choice_invalid': 'The value must be 1 or 2[: {field}]',
  'error.catalog_price_invalid':
    'The price per call must be a number of at least 0[, at most {max}]',
  'error.payment_not_configured': 'Payment is not configured by the administrator',
  'error.payment_failed': 'The payment could not be started. Please try again later',
  'error.payment_method_unknown': 'This payment method does not exist',
  'error.payment_signature_invalid': 'The payment notice is not signed correctly',
  'error.payment_notice_invalid': 'The payment notice cannot be read or is not for this site',
  'error.top_up_too_small': 'The top-up amount is too small[; it cannot be less than {min}]',
  'error.top_up_money_too_low': 'The top-up amount is too low',
  'error.top_up_code_invalid': 'Invalid discount code',
  'error.order_unknown': 'This order does not exist',
  'error.price_source_unreadable': 'This is no list of prices that can be read[: {source}]',
  'error.price_below_cost':
    'Prices would be below their cost[: {list}]. Confirm it to save them all the same',
  'error.price_source_changed':
    'The source has another price now[ for {model}]. Look at the changes again',
  'error.order_not_paid': 'This order is not paid',
  'error.refund_sum_invalid':
    'The sum must be in yuan with at most two decimals[, from 0.01 to {most}]',
  'error.refund_not_offered':
    'This order cannot be refunded through its provider. Pay it back there, then note it (--noted)',
  'error.refund_failed': 'The provider refused the refund[: {detail}]',
  'error.refund_busy': 'This order is being refunded. Look again in a minute',
  'error.order_already_paid': 'This order is already paid',
  'error.option_unknown': 'Unknown option[: {key}]',
  'error.option_invalid': 'The option[ {key}] is invalid[: {reason}]',
  'error.option_needs': 'Fill in[ “{name}”][ ({needs})] first',
  'error.option_in_use':
    'Another setting needs this value[: “{name}”][ ({by})]. Switch that off or clear it first',
  'error.config_apply_running':
    'Another configuration is being applied; try again when it has finished',
  'error.config_changed_meanwhile':
    'It was changed since the file was compared with the site; run the command again',
  'error.target_time_required': 'Select the log retention time',
  'error.target_time_future': 'The cut-off time must not be in the future',
  'error.operator_only':
    "This works only on the gateway's machine: run the command there, without --server and --profile",
  'error.archive_place':
    'Archives cannot be kept or read[ in {place}][: set {setting}][: {problem}][: {detail}]',
  'error.archive_damaged': 'The archive[ {file}] is damaged or incomplete',
  'error.archive_foreign':
    '[{file}: ]This is no archive of usage logs, or one of a newer version[ (line {line})]',
  'error.log_prune_running': 'Logs are already being deleted; wait until this has finished',
  'error.range_too_long': 'The time range is too long[; at most {days} {days:day|days}]',
  'error.feature_unavailable': 'This feature is not available yet[: {detail}]',

  'error.data_folder_locked':
    'Another process is using the data folder[ {folder}]. Wait until it has ended or stop it, or choose another folder with --data-dir',
  'error.secret_file_damaged':
    'The key file[ {path}] is damaged. Restore it from a backup: without it, stored provider keys and sessions cannot be read',
  'error.site_key_missing':
    'The stored keys cannot be decrypted[: {file} is missing]. Put back the secret.json (or CRYPTO_SECRET) with which the database was written; earlier ones may be in snapshots/. Nothing was changed',
  'error.site_key_wrong':
    'The stored keys cannot be decrypted[: {file} is that of another site]. Put back the secret.json (or CRYPTO_SECRET) with which the database was written; earlier ones may be in snapshots/. Nothing was changed',
  'error.gateway_unreachable': 'The gateway cannot be reached[: {address}]',
  'error.database_unavailable': 'The database[ {file}] is not available[: {problem}][ ({reason})]',
  'error.redis_unavailable': 'Redis is not available[: {reason}]',
  'error.workers_need_postgres':
    'Several workers need PostgreSQL (--database-url) and Redis (--redis-url), which they share',
  'error.redis_needs_postgres':
    'Redis is for several processes on PostgreSQL: set a PostgreSQL database, or remove the address of Redis',
  'error.ledger_drift': 'The ledger and the balance do not match[: {account}]',
  'error.import_source_unreadable': 'The source[ {source}] cannot be read[: {problem}]',
  'error.import_source_foreign':
    'The source[ {source}] is not a database of One API, New API, one-hub, sub2api or LiteLLM[: these tables are missing: {tables}]',
  'error.import_source_incomplete':
    'The source was not migrated completely[: its table {table} has no column {columns}]. Start the old program once and try again',
  'error.import_family_wrong':
    'The source is a database of the other program[, {found}: use `turnpike import {command}`]',
  'error.import_target_not_empty':
    'This site has users of its own. Import into an empty data folder, or add --force if none of them has the id of a user of the source',
  'error.import_ids_taken':
    'Users of this site have the ids of users of the source[: {ids}]. Import into an empty data folder',
  'error.import_proof_failed':
    'Nothing was imported, because counts or sums differ[: {figure} of {table} should be {expected}, but is {found}]',
  'error.import_salt_key_wrong':
    'Nothing of the source can be decrypted: LITELLM_SALT_KEY, or the master key where there is none, is another one than it was encrypted with',
  'error.import_interrupted': 'The import was interrupted. Nothing was imported',
  'error.backup_target':
    '[{file}: ]Something that is not a backup is there, and it is not replaced: choose another name',
  'error.backup_foreign': '[{file}: ]This is not a backup of Turnpike',
  'error.backup_damaged': 'The backup[ {file}] is damaged or incomplete',
  'error.backup_newer':
    'The backup[ {file}] was written by a newer version[ ({version})]: install that version first',
  'error.backup_key_missing':
    'The secrets in this backup cannot be decrypted: it has no key file, and the data folder[ {folder}] does not have the right one. Copy secret.json of the backed-up site there, or set CRYPTO_SECRET',
  'error.backup_place':
    'Backups cannot be kept[ in {place}][: set {setting}][: {problem}][: {detail}]',
  'error.backup_none': 'There is no such backup[ in {place}][: {name}]',
  'error.backup_sealed':
    'The backup[ {file}] is encrypted: give its passphrase in BACKUP_PASSPHRASE or with --backup-passphrase-stdin',
  'error.backup_passphrase': 'The passphrase is not that of the backup[ {file}]',
  'error.backup_room':
    'The disk[ of {folder}] has too little room for a copy of the site[: {megabytes} MB are needed]',
  'error.upgrade_failed':
    'The site does not work with this version, so its database was put back as it was[: {reason}]',
  'error.restore_not_empty':
    'There is a database already[: {target}]. With --force it is replaced, and a copy of it is kept',
  'error.user_unknown': 'There is no such user[: {user}]',
  'error.site_missing':
    'There is no site[ in {folder}][ ({file} does not exist)]. Check --data-dir and TURNPIKE_DATA_DIR; turnpike setup makes a new site',
  'error.database_missing': 'There is no database[: {file}]',
  'error.database_foreign':
    'The database[ {file}] belongs to another program: name an empty one, or move in with `turnpike import`',
  'error.database_lost':
    'The database[ {file}] is missing or empty, but files that belong to it are there[: {names}]. Put the database back beside them, or restore a backup with `turnpike restore`. Nothing was changed',
  'error.database_newer':
    'The database has been used by a newer version of Turnpike[ (migration {step})]: run that version',
  'error.migrations_pending':
    'The database is that of an earlier version[: {count} {count:migration is|migrations are} pending]. Back up, then run `turnpike migrate` or start the gateway. Nothing was changed',
  'error.database_in_use':
    'The database is in use[ by {count} other {count:connection|connections}]: stop all gateways first',
} satisfies Record<keyof typeof zhErrors, string>;
