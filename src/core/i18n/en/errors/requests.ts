import type { requestErrors } from '../../../kernel/errors/requests.ts';

export const requestWords = {
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
  'error.request_too_large': 'The body is too large[; the limit is {limit} MB]',
  'error.request_too_complex':
    'The body contains too many or too deeply nested JSON values[; the limit is {most}]',
  'error.request_overcompressed':
    'The body decompresses to far more than its size[ (over {ratio} times)]',
  'error.too_much_in_flight':
    'Your requests under way hold too much data at once[; the limit is {limit} MB]. Wait for some to finish',
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
  'error.rate_limited': 'Too many requests[; try again in {seconds} {seconds:second|seconds}]',
  'error.websocket_required': 'This endpoint requires a WebSocket connection',
  'error.api_not_implemented': 'This API is not implemented',
  'error.unknown_url': 'Invalid URL[ ({method} {path})]',
  'error.model_not_found': 'The model[ {model}] does not exist',
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
  'error.tasks_disabled': 'Music and video tasks are switched off on this site',
  'error.drawing_disabled': 'Drawing is switched off on this site',
  'error.task_not_exist': 'The task does not exist',
  'error.result_link_invalid': 'The link is not valid any more: open the task again',
  'error.task_channel_disabled': 'The channel that this task belongs to is disabled',
  'error.session_channel_gone': 'The channel of this session no longer serves it. Connect again',
  'error.drawing_refused': '[{detail}]',
  'error.model_price_error':
    'The model[ {model}] has no price. Ask the administrator to set one, or allow unpriced models in your settings',
  'error.model_mapped_error':
    "The channel's model mapping contains a cycle[ at {model}]. Contact the administrator",
  'error.insufficient_user_quota': 'Insufficient balance[: {quota} left, {need} needed]',
  'error.pre_consume_token_quota_failed': 'Insufficient token quota[: {quota} left, {need} needed]',
  'error.small_hold_busy':
    'Your balance is low, so requests run one at a time. Wait for the previous one to finish',
  'error.tags_invalid':
    'The header x-turnpike-tags is invalid[ at “{tag}”]: it has at most 10 tags, separated by commas, of up to 64 letters, digits, spaces and _ . : / @ + = # -',
  'error.budget_exceeded':
    'The budget [{budget} ]is used up[: {left} left, {need} needed][; it begins anew at {until}]. Nothing was charged',
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
  'error.ledger_unavailable':
    'The ledger is not available[: {problem}][ ({reason})][, {waiting} {waiting:settlement waits|settlements wait} for it]. Try again shortly',
  'error.database_replaced':
    'A file of the database was deleted or replaced while the gateway runs, so it writes nothing any more. The administrator has to check it (turnpike doctor) and restart the gateway',
  'error.ledger_outcome_unknown':
    'The database does not reply, and it is not known whether this was written. Look it up before you try again',
  'error.ledger_refused':
    'The ledger rejected this entry. The administrator can find the details in the server log',
  'error.ledger_conflict': 'The account has changed in the meantime. Reload and try again',
  'error.balance_limit':
    'The balance would be out of range[. The largest possible balance is {max}]',
  'error.amount_limit': 'The amount must be a whole number[ of at most {max}]',
  'error.no_channel': 'No channel is available[ for {model}][ in the group {group}]',
  'error.get_playground_channel_failed':
    'No channel is available[ for {model}][ in the group {group}]',
  'error.shutting_down': 'The gateway is stopping. Try again shortly',
  'error.server_busy': 'The gateway is handling too much data right now. Try again shortly',
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
  'error.internal_error': 'Internal server error. Contact the administrator',
  'error.key_unreadable':
    'This key is stored, but cannot be decrypted: its row was damaged, or written with another key. Enter it anew, or restore a backup',
} satisfies Record<`error.${keyof typeof requestErrors}`, string>;
