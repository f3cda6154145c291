import { describe, expect, it } from 'vitest';
import { CallError } from '../../../../src/core/contract/envelope.ts';
import {
  allowedFields,
  headerRows,
  headersOf,
  readSetting,
  writeAllowed,
  writeSetting,
} from '../../../../src/ui/routes/channel/channel-setting.ts';
import { readServerProblem } from '../../../../src/ui/routes/channel/server-problem.ts';

describe('the form of a channel’s setting', () => {
  it('writes single fields and keeps what it does not know', () => {
    const text = writeSetting('{"mystery":[1],"proxy":"http://a"}', 'force_format', true);
    expect(readSetting(text)).toEqual({ mystery: [1], proxy: 'http://a', force_format: true });
    expect(readSetting(writeSetting(text, 'proxy', ''))).toEqual({ mystery: [1], force_format: true });
  });

  it('leaves nothing behind when all is off again', () => {
    expect(writeSetting('{"use_responses":true}', 'use_responses', undefined)).toBe('');
    expect(writeSetting('', 'header_override', {})).toBe('');
  });

  it('tells off from absent where that means something else', () => {
    expect(readSetting(writeSetting('', 'use_responses', false))).toEqual({ use_responses: false });
  });

  it('reads nothing out of a text that is no object', () => {
    expect(readSetting('{"a":')).toBeUndefined();
    expect(readSetting('[1]')).toBeUndefined();
    expect(readSetting(' ')).toEqual({});
  });

  it('knows headers of the caller by their pattern, and rows that are not finished', () => {
    const headers = { 'X-Title': 'a', '*': true, 're:^x-': true };
    const rows = headerRows(headers);
    expect(headersOf(rows)).toEqual(headers);
    expect(headersOf([...rows, { name: ' ', value: 'b' }])).toEqual(headers);
  });

  it('lets guarded fields through by a flag each', () => {
    const text = writeAllowed('{"allow_inference_geo":true}', ['service_tier']);
    expect(readSetting(text)).toEqual({ allow_service_tier: true });
    expect(allowedFields(readSetting(text) ?? {})).toEqual(['service_tier']);
  });
});

describe('what the server refuses', () => {
  it.each([
    ['channel_rule_invalid', '渠道的设置无效：setting.header_override.X 不能作为请求头的值', 'setting', 'header_override.X'],
    ['channel_rule_invalid', 'Not valid: param_override.operations.0.mode is missing', 'param_override', ''],
    ['json_object_required', 'status_code_mapping: a JSON object is required', 'status_code_mapping', ''],
    ['invalid_parameter', '参数无效：base_url', 'base_url', ''],
    ['channel_other_required', 'This type needs its extra field', 'other', ''],
  ] as const)('%s is told beside its field', (code, message, field, inSetting) => {
    expect(readServerProblem(new CallError(message, 400, code))).toEqual({ field, inSetting, message });
  });

  it('is told in a toast only where it is about no field', () => {
    expect(readServerProblem(new CallError('', 500, 'internal_error'))).toBeUndefined();
    expect(readServerProblem(new Error('x'))).toBeUndefined();
  });
});
