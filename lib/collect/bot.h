#ifndef COLLECT_BOT_H
#define COLLECT_BOT_H
/*
 * Readers that are no people. Their hits are counted apart, by the name of the rule that found
 * them: a list of words of user agents, and two rules (bot.c).
 */

/* Returns the name of the rule by which a reader is a bot; "" for a person. The headers are NULL
 * where there is none. */
const char *bot_rule(const char *user_agent, const char *accept_language);

#endif
