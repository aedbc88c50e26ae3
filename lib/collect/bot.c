#include "collect/bot.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define _ NULL

/* Words of user agents, in lower case; the first rule with one of them counts. */
static const struct {
	const char *rule;
	const char *words[40];
} rules[] = {
	{ "webdriver", { "headless", "phantomjs", "slimerjs", "selenium", "webdriver", "puppeteer",
			   "playwright", "cypress", "htmlunit", _ } },
	{ "preview",
	    { "facebookexternalhit", "facebookcatalog", "whatsapp/", "slackbot", "slack-imgproxy",
		"twitterbot", "discordbot", "telegrambot", "linkedinbot", "skypeuripreview",
		"embedly", "iframely", "vkshare", "redditbot", "pinterestbot", "bingpreview",
		"google-pagerenderer", "mastodon/", "outbrain", "quora link preview", _ } },
	{ "monitor", { "uptimerobot", "pingdom", "statuscake", "site24x7", "lighthouse", "gtmetrix",
			 "pagespeed", "ptst/", "newrelicpinger", "datadog", "checkly",
			 "uptime-kuma", "uptime kuma", "better uptime", "betterstack",
			 "hetrixtools", "nagios", "zabbix", "updown.io", "monitor", _ } },
	{ "crawler",
	    { "bot/", "bot;", "bot)", "bot ", "bot-", "bot.", "+http", "crawl", "spider", "slurp",
		"scrap", "mediapartners", "adsbot", "feedfetcher", "google-inspection",
		"googleother", "ia_archiver", "archive.org", "yandex.com/bots", "ahrefs", "semrush",
		"facebot", "meta-external", "chatgpt-user", "claude-web", "claude-user",
		"perplexity", "cohere-ai", "ccbot", "dataprovider", "netcraft", "censys", "nmap",
		"masscan", "zgrab", _ } },
	{ "library", { "curl/", "libcurl", "wget/", "python", "aiohttp", "httpx/", "go-http-client",
			 "java/", "okhttp", "apache-http", "libwww", "lwp::", "perl/", "ruby",
			 "faraday", "php/", "guzzle", "axios/", "node-fetch", "node.js", "undici",
			 "deno/", "postman", "insomnia", "httpie", "http_request", "winhttp",
			 "reqwest", "rest-client", "http.rb", "symfony", "feedparser", _ } },
};

/* Longer than any user agent of a browser. */
#define AGENT_MAX 1024

/* A phone of the maker Cubot is none. */
static bool
has_word(const char *agent, const char *word)
{
	for (const char *found = strstr(agent, word); found != NULL;
	     found = strstr(found + 1, word)) {
		if (strncmp(word, "bot", 3) != 0 || found - agent < 2 ||
		    memcmp(found - 2, "cu", 2) != 0)
			return true;
	}
	return false;
}

static const char *
rule_of(const char *agent)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		for (const char *const *word = rules[i].words; *word != NULL; word++) {
			if (has_word(agent, *word))
				return rules[i].rule;
		}
	}
	return "";
}

const char *
bot_rule(const char *user_agent, const char *accept_language)
{
	char agent[AGENT_MAX + 1];
	size_t len = 0;
	const char *rule;

	if (user_agent == NULL || user_agent[0] == '\0')
		return "no-agent";
	for (; len < AGENT_MAX && user_agent[len] != '\0'; len++) {
		char ch = user_agent[len];
		agent[len] = (char)(ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch);
	}
	agent[len] = '\0';
	rule = rule_of(agent);
	if (rule[0] != '\0')
		return rule;
	return accept_language == NULL || accept_language[0] == '\0' ? "no-language" : "";
}
