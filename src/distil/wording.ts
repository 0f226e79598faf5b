const acknowledgement =
  /^(?:(?:ok(?:ay)?|k|kk|thanks|thank you|thx|ta|cool|nice(?: find| one)?|great|good(?: catch| enough| point| one)?|perfect|super|awesome|lol|haha|yes|yeah|yep|yup|sure|alright|fine|right|makes sense|wow|hm+|mm+|no|nope|nah|agreed|exactly|gracias|danke|merci|obrigado|parfait|perfekt|parfaitement|спасибо|отлично|да|нет|谢谢|好|update|fyi|btw|👍|👌|🎉)(?:[\s,.!:–-]+|$))+/iu;

/** Removes courtesies at the start, such as "ok, thanks." Never use it on a text that is quoted: "no" is one of them. */
export const withoutCourtesy = (text: string): string => text.replace(acknowledgement, '').trim();

export const isAgreement = (prompt: string): boolean =>
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|sounds good|agreed|perfect|great|do it|do that|go ahead|go for it|please do|sim|sí|oui|ja|да|давай|faz isso|hazlo|mach das|好)[\s,.!]*)+$/iu.test(
    prompt.trim(),
  );
