import { describe, expect, it } from 'vitest';
import {
  allowedFields,
  headerRows,
  headersOf,
  readSetting,
  writeAllowed,
  writeSetting,
} from '../../../../src/ui/routes/channel/channel-setting.ts';

describe('the form of a channel’s setting', () => {
  it('writes single fields and keeps what it does not know', () => {
    const text = writeSetting('{"mystery":[1],"proxy":"http://a"}', 'force_format', true);
    expect(readSetting(text)).toEqual({ mystery: [1], proxy: 'http://a', force_format: true });
    expect(readSetting(writeSetting(text, 'proxy', ''))).toEqual({
      mystery: [1],
      force_format: true,
    });
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
