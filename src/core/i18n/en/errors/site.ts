import type { siteErrors } from '../../../kernel/errors/site.ts';

export const siteWords = {
  'error.name_required': 'Name cannot be empty!',
  'error.name_too_long': 'The name is too long[; at most {max} characters]',
  'error.expiry_invalid': 'Expiration time format error!',
  'error.token_quota_invalid': 'Quota must be a whole number, 0 or more',
  'error.allow_ips_invalid': 'The IP list contains an invalid line[: {line}]',
  'error.token_still_expired': 'The token has expired. Change its expiry before enabling it',
  'error.token_still_exhausted': 'The token has no quota left. Add some before enabling it',
  'error.too_many_tokens': 'No more tokens can be created[; the limit is {max}]',
  'error.playground_full':
    'No more can be kept on the server[: the limit is {max} entries and {mb} MB]; delete some first',
  'error.chat_history_off': 'You keep no conversations on the server',
  'error.bulk_too_many': 'Too many rows match[; one change takes at most {max}]: narrow the filter',
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
  'error.model_mapping_cycle': 'The model mapping contains a cycle[: {model}]',
  'error.channel_rule_invalid': "The channel's settings are invalid[: {field} {reason}]",
  'error.weight_invalid': 'Weight must be a whole number, 0 or more',
  'error.release_address_missing':
    'Set RELEASE_URL to the address of the latest release to check for updates',
  'error.release_lookup_failed': 'The latest release could not be read. Try again later',
  'error.channel_last_key': 'A channel needs an enabled key: disable the channel instead',
  'error.channel_test_unsupported': 'This type of channel cannot be tested',
  'error.channel_test_running': 'A test is already running',
  'error.channel_balance_unsupported': 'This type of channel does not support balance queries',
  'error.channel_models_unsupported': 'This type of channel does not support listing models',
  'error.model_list_unreadable': 'This is no list of models in a known format',
  'error.model_list_unsigned': 'The list of models is not signed with the site’s key',
  'error.model_sync_running': 'Another sync of models is being stored; try again',
  'error.model_list_expired': 'The list of models has expired',
  'error.model_list_outdated': 'The list of models is older than one that was adopted',
  'error.tag_required': 'Tag cannot be empty',
  'error.code_name_invalid':
    'The name of a redemption code has the wrong length[: {min} to {max} characters]',
  'error.budget_field_invalid': 'The budget has an invalid value[: {field}]',
  'error.budget_forbidden':
    'This budget was set for you by somebody else, or is about what is not yours',
  'error.code_count_invalid': 'The number of codes is out of range[: 1 to {max}]',
  'error.code_quota_invalid':
    'The quota of a redemption code must be a whole number[ from 0 to {max}]',
  'error.code_not_unused': 'Only unused redemption codes can be changed',
  'error.code_missing': 'Enter the redemption code',
  'error.code_unknown': 'Invalid redemption code',
  'error.code_used': 'The redemption code is already used or disabled',
  'error.code_expired': 'The redemption code has expired',
  'error.catalog_model_exists': 'This model is in the model list already[: {model}]',
  'error.catalog_model_unknown': 'The model list has no such model[: {model}]',
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
  'error.order_already_paid': 'This order is already paid',
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
  'error.log_prune_running': 'Logs are already being deleted; wait until this has finished',
  'error.operator_only':
    "This works only on the gateway's machine: run the command there, without --server and --profile",
  'error.archive_place':
    'Archives cannot be kept or read[ in {place}][: set {setting}][: {problem}][: {detail}]',
  'error.archive_damaged': 'The archive[ {file}] is damaged or incomplete',
  'error.archive_foreign':
    '[{file}: ]This is no archive of usage logs, or one of a newer version[ (line {line})]',
  'error.range_too_long': 'The time range is too long[; at most {days} {days:day|days}]',
  'error.feature_unavailable': 'This feature is not available yet[: {detail}]',
} satisfies Record<`error.${keyof typeof siteErrors}`, string>;
