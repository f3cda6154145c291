import { qianfan } from '../baidu-v2/index.ts';

/**
 * The end of v1's host is not that of its channels: their models go to V2's host, which spells them
 * in small letters.
 */
export const baiduThroughV2 = qianfan({
  slug: 'baidu-v2',
  channelTypes: [15],
  nameOf: (model) => model.toLowerCase(),
  rootOf: (baseUrl) =>
    baseUrl.replace(/^https:\/\/aip\.baidubce\.com$/, 'https://qianfan.baidubce.com'),
});
