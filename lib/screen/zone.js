/* Puts the browser's time zone into the form of a new workspace, which begins with UTC. A form that
 * came back keeps what was typed. */
(function () {
	'use strict';

	/* Browsers know some places by names that a host may not have any more. */
	var NAMES = { 'Asia/Calcutta': 'Asia/Kolkata', 'Asia/Katmandu': 'Asia/Kathmandu',
		'Asia/Saigon': 'Asia/Ho_Chi_Minh', 'Asia/Rangoon': 'Asia/Yangon',
		'Europe/Kiev': 'Europe/Kyiv', 'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
		'America/Godthab': 'America/Nuuk', 'Atlantic/Faeroe': 'Atlantic/Faroe' };

	var field = document.getElementById('workspace-time-zone');
	var here = window.Intl && Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (field && here && !/^Etc\//.test(here) && !document.querySelector('[role=alert]'))
		field.value = NAMES[here] || here;
}());
