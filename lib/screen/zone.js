/* Chooses the browser's time zone in the form of a new workspace. Without this script the list
 * begins with UTC. A form that came back keeps what was chosen. */
(function () {
	'use strict';

	/* Browsers know some places by names that a host may not have any more. */
	var NAMES = { 'Asia/Calcutta': 'Asia/Kolkata', 'Asia/Katmandu': 'Asia/Kathmandu',
		'Asia/Saigon': 'Asia/Ho_Chi_Minh', 'Asia/Rangoon': 'Asia/Yangon',
		'Europe/Kiev': 'Europe/Kyiv', 'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
		'America/Godthab': 'America/Nuuk', 'Atlantic/Faeroe': 'Atlantic/Faroe' };

	var list = document.getElementById('workspace-time-zone');
	if (!list || !window.Intl || document.querySelector('[role=alert]'))
		return;
	var here = Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (!here || /^Etc\//.test(here))
		return;
	here = NAMES[here] || here;
	list.value = here;
	/* The list has one name for places whose clocks agree since 1970. */
	if (list.value !== here)
		list.add(new Option(here, here, true, true));
}());
