/* The timeline of a report, with the keys and the wheel of the window.  A click
   on a shape of a chart highlights the object it stands for in all charts.  A
   click on the name of a host or process folds its rows. */
"use strict";
(function () {
	const canvas = document.getElementById("timeline");
	const tip = document.getElementById("timeline-tip");
	const data = JSON.parse(document.getElementById("timeline-data").textContent);
	const names = 150, high = 16, below = 22, greys = 33, shades = 12, long = 26, band = 18;
	const least = data.rows.reduce((a, r) => Math.min(a, r.depth), 9);
	let t0 = 0, span = data.span, drag = null;

	/* Each level has half the buckets of the one before: their mean shares, the
	   longest operation, and the class of the bucket with more communication. */
	function levels(text) {
		const all = Uint8Array.from(atob(text), c => c.charCodeAt(0));
		const out = [{ covered: Float32Array.from(all.subarray(0, data.count)),
			longest: all.subarray(data.count, 2 * data.count),
			wait: Float32Array.from(all.subarray(2 * data.count, 3 * data.count)),
			group: all.subarray(3 * data.count) }];
		for (let fine = out[0]; fine.covered.length > 64; fine = out[out.length - 1]) {
			const n = fine.covered.length + 1 >> 1;
			const covered = new Float32Array(n), longest = new Uint8Array(n);
			const wait = new Float32Array(n), group = new Uint8Array(n);
			for (let i = 0; i < n; i++) {
				covered[i] = (fine.covered[2 * i] + (fine.covered[2 * i + 1] || 0)) / 2;
				longest[i] = Math.max(fine.longest[2 * i], fine.longest[2 * i + 1] || 0);
				wait[i] = (fine.wait[2 * i] + (fine.wait[2 * i + 1] || 0)) / 2;
				group[i] = fine.group[2 * i + (fine.covered[2 * i + 1] > fine.covered[2 * i] ? 1 : 0)];
			}
			out.push({ covered, longest, wait, group });
		}
		return out;
	}

	/* Returns the share of communication in an interval, and the longest
	   operation. */
	function sample(row, from, to) {
		let l = 0;
		while (l + 1 < row.length && data.bucket * 2 ** (l + 1) <= to - from)
			l++;
		const size = data.bucket * 2 ** l, level = row[l];
		let sum = 0, code = 0, wait = 0, group = 0, most = 0;
		for (let b = Math.floor(from / size); b * size < to && b < level.covered.length; b++) {
			const wide = Math.min(to, (b + 1) * size) - Math.max(from, b * size);
			sum += level.covered[b] * wide;
			wait += level.wait[b] * wide;
			if (level.covered[b] * wide > most) {
				most = level.covered[b] * wide;
				group = level.group[b];
			}
			code = Math.max(code, level.longest[b]);
		}
		return { share: Math.min(sum / 255 / (to - from), 1), code, group,
			wait: Math.min(wait / 255 / (to - from), 1), longest: code ? 2 ** ((code - 1) / 4) : 0 };
	}

	/* Returns the typical duration of a row; much longer operations stay visible
	   at every zoom. */
	function typical(row) {
		const codes = Array.from(row[Math.max(row.length - 5, 0)].longest).filter(c => c).sort((a, b) => a - b);
		return codes.length ? 2 ** ((codes[codes.length >> 1] - 1) / 4) : Infinity;
	}

	const rows = data.rows.map(r => {
		const row = r.data ? levels(r.data) : null;
		return { name: r.name, depth: r.depth - least, threads: r.threads, folded: false,
			levels: row, rare: row ? 4 * typical(row) : 0 };
	});
	rows.forEach((row, n) => row.parts = n + 1 < rows.length && rows[n + 1].depth > row.depth);

	/* Returns the rows that are not in a folded one. */
	function shown() {
		let fold = Infinity;
		return rows.filter(row => {
			if (row.depth > fold)
				return false;
			fold = row.folded ? row.depth : Infinity;
			return true;
		});
	}

	/* Folds all rows of a depth, and unfolds those above. */
	function foldAt(depth) {
		rows.forEach(row => row.folded = row.parts && row.depth === depth);
		draw();
	}

	/* Formats a tick like paths_unit_text_step: all ticks have the same unit. */
	function time(ns, step) {
		const [name, size] = data.units.find(u => Math.max(t0 + span, step) >= u[1]) || data.units[data.units.length - 1];
		const digits = Math.ceil(-Math.log10(step / size) - 1e-9);
		return (ns / size).toFixed(Math.min(Math.max(digits, 0), 9)) + " " + name;
	}

	function ticks(g, width, height, colour) {
		const rough = span / (width / 110), power = 10 ** Math.floor(Math.log10(rough));
		const step = power * [1, 2, 5, 10].find(n => n * power >= rough);
		for (let n = Math.ceil(t0 / step); n * step <= t0 + span; n++) {
			const x = Math.round(names + (n * step - t0) / span * width) + .5;
			g.fillStyle = colour("axis");
			g.fillRect(x, height - below, 1, 4);
			g.fillStyle = colour("text");
			g.textAlign = "center";
			g.fillText(time(n * step, step), Math.min(x, names + width - 24), height - 8);
		}
	}

	function strip(g, row, y, width, ratio, colour) {
		const pixels = Math.round(width * ratio), each = span / pixels;
		let start = 0, last = null, end = 0;
		function part(level, role) {
			const tall = (high - 2) * level / (greys - 1);
			g.fillStyle = colour(role);
			g.fillRect(names + start / ratio, y + high - 2 - tall, (end - start) / ratio, tall);
		}
		for (let x = 0; x <= pixels; x++) {
			end = x;
			let now = null;
			if (x < pixels) {
				const seen = sample(row.levels, t0 + x * each, t0 + (x + 1) * each);
				const wait = seen.share > 0 ? Math.round(seen.wait * (greys - 1)) : 0;
				const level = seen.share > 0 ? Math.min(Math.max(Math.round(seen.share * (greys - 1)), 1), greys - 1) : 0;
				const rare = level > 0 && seen.longest > each && seen.longest > row.rare;
				/* A row of several threads is a band: its height is their share. */
				now = row.threads > 1 ? { level, grey: rare ? greys - 1 : band, wait, code: seen.group } :
					{ level: greys - 1, grey: rare && level < long ? long : level, wait, code: seen.group };
				/* One thread: waiting is drawn at the bottom, or alone if it is half. */
				if (row.threads === 1 && 2 * seen.wait >= seen.share)
					Object.assign(now, { code: 1, wait: 0 });
				if (level === 0)
					now = { level: 0, grey: 0, wait: 0, code: 0 };
			}
			if (last && now && now.level === last.level && now.grey === last.grey &&
				now.wait === last.wait && now.code === last.code)
				continue;
			if (last && last.level > 0) {
				part(last.level, last.code > 0 ?
					"class" + ((last.code - 1) * shades + Math.round(last.grey * (shades - 1) / (greys - 1))) :
					"grey" + last.grey);
				if (last.wait > 0)
					part(last.wait, "class" + (shades - 1));
			}
			start = x;
			last = now;
		}
	}

	function draw() {
		const style = getComputedStyle(document.documentElement), cache = {};
		const colour = n => cache[n] = cache[n] || style.getPropertyValue("--" + n);
		const ratio = window.devicePixelRatio || 1, width = Math.max(canvas.clientWidth - names, 1);
		const list = shown(), height = list.length * high + below, g = canvas.getContext("2d");
		canvas.width = Math.round((names + width) * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.height = height + "px";
		g.scale(ratio, ratio);
		g.font = "12px " + getComputedStyle(document.body).fontFamily;
		g.textBaseline = "middle";
		list.forEach((row, n) => {
			const y = n * high + 1;
			g.fillStyle = colour("text");
			g.textAlign = "left";
			const sign = row.parts ? (row.folded ? "\u25b8 " : "\u25be ") : "";
			g.fillText(sign + row.name, 8 * row.depth, y + high / 2 - 1, names - 8 * row.depth - 6);
			g.fillStyle = colour(row.levels ? "grey0" : "missing");
			g.fillRect(names, y, width, high - 2);
			if (row.levels)
				strip(g, row, y, width, ratio, colour);
		});
		ticks(g, width, height, colour);
		canvas.dataset.drawn = list.length + " " + Math.round(t0) + " " + Math.round(span);
	}

	function go(from, wide) {
		span = Math.min(Math.max(wide, Math.min(data.bucket / 8, data.span)), data.span);
		t0 = Math.min(Math.max(from, 0), data.span - span);
		draw();
	}

	function at(event) {
		const box = canvas.getBoundingClientRect();
		return t0 + (event.clientX - box.left - names) / (box.width - names) * span;
	}

	function zoom(factor, around) {
		go(around - (around - t0) * factor, span * factor);
	}

	canvas.addEventListener("wheel", event => {
		event.preventDefault();
		zoom(event.deltaY > 0 ? 1.25 : 0.8, at(event));
	}, { passive: false });
	function rowAt(event) {
		return shown()[Math.floor((event.clientY - canvas.getBoundingClientRect().top) / high)];
	}

	canvas.addEventListener("pointerdown", event => {
		const row = rowAt(event);
		if (event.clientX - canvas.getBoundingClientRect().left < names) {
			if (row && row.parts) {
				row.folded = !row.folded;
				draw();
			}
			return;
		}
		drag = at(event);
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointerup", () => { drag = null; });
	canvas.addEventListener("dblclick", () => go(0, data.span));
	canvas.addEventListener("pointermove", event => {
		if (drag !== null)
			go(t0 + drag - at(event), span);
		const row = rowAt(event), ns = at(event), each = span / Math.max(canvas.clientWidth - names, 1);
		if (!row || ns < 0 || ns > data.span)
			return;
		const seen = row.levels && sample(row.levels, ns, ns + each);
		tip.textContent = row.name + " at " + time(ns, each) + (seen ?
			": " + data.shares[Math.round(100 * seen.share)] + " communication" +
			(row.threads > 1 ? " of " + row.threads + " " + data.threads : "") +
			(seen.wait > 0 ? ", " + data.shares[Math.round(100 * seen.wait)] + " waiting" : "") +
			(seen.code ? ", the longest about " + data.durations[seen.code] : "") :
			": nothing was recorded");
	});
	canvas.addEventListener("keydown", event => {
		const middle = t0 + span / 2, keys = {
			w: () => zoom(0.8, middle), ArrowUp: () => zoom(0.8, middle),
			s: () => zoom(1.25, middle), ArrowDown: () => zoom(1.25, middle),
			a: () => go(t0 - span / 8, span), ArrowLeft: () => go(t0 - span / 8, span),
			d: () => go(t0 + span / 8, span), ArrowRight: () => go(t0 + span / 8, span),
			f: () => go(0, data.span),
			1: () => foldAt(0), 2: () => foldAt(1), 3: () => foldAt(-1)
		};
		if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key])
			return;
		event.preventDefault();
		keys[event.key]();
	});
	document.addEventListener("click", event => {
		const thing = event.target.closest && event.target.closest("[data-thing]");
		document.querySelectorAll(".same").forEach(e => e.classList.remove("same"));
		if (thing)
			document.querySelectorAll('[data-thing="' + thing.dataset.thing + '"]').forEach(e => e.classList.add("same"));
	});
	window.addEventListener("resize", draw);
	window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
	draw();
})();
