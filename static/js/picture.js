// Draws the result of a match for a chat: who won, ranks and totals, and how the totals went.

const INK = "#22261f", SOFT = "#595d52", LINE = "#e2d9c1", PAPER = "#fbf7ec", WASH = "#f6e8c6", BRASS = "#7a5510";
const ON_FELT = "#f6f1df", ON_FELT_SOFT = "#cfdccf", GOLD = "#f2c14e", GREEN = "#146c43", RED = "#a81c28";

/** How each seat's line is coloured; the dashes tell them apart without. */
const COLOURS = ["#1d5fa8", "#a81c28", "#146c43", "#8a5a00"];

const WIDTH = 1080, SIDE = 56, TOP = 282, ROW = 118, DOWN = 2.1; // of the chart: a point on paper is so high
const FROM_THE_RIGHT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** @param {HTMLCanvasElement} canvas @param {any} data what `views/take.py` says of the match */
export function draw(canvas, data) {
  const paper = data.lines.length * ROW + (data.chart ? data.chart.height * DOWN + 48 : 0) + 40;
  canvas.height = TOP + paper + 116;
  const pen = canvas.getContext("2d");
  ground(pen, canvas.height);
  head(pen, data);
  pen.fillStyle = PAPER;
  box(pen, SIDE, TOP, WIDTH - 2 * SIDE, paper, 36);
  data.lines.forEach((line, n) => player(pen, line, TOP + 20 + n * ROW, data.lines[n - 1]));
  if (data.chart) chart(pen, data, TOP + 20 + data.lines.length * ROW + 36);
  write(pen, data.texts.foot, SIDE + 8, canvas.height - 46, { size: 28, colour: ON_FELT_SOFT });
  write(pen, "scorepad", WIDTH - SIDE - 8, canvas.height - 46, { size: 28, weight: 700, colour: ON_FELT, align: "right" });
}

function ground(pen, height) {
  const felt = pen.createRadialGradient(WIDTH / 2, 0, 0, WIDTH / 2, 0, height);
  felt.addColorStop(0, "#14493a");
  felt.addColorStop(1, "#0d3429");
  pen.fillStyle = felt;
  pen.fillRect(0, 0, WIDTH, height);
}

function head(pen, { title, when, texts }) {
  const most = WIDTH - 2 * SIDE - 16;
  write(pen, title, SIDE + 8, 112, { size: 66, weight: 700, colour: ON_FELT, most, least: 44 });
  write(pen, when, SIDE + 8, 166, { size: 34, colour: ON_FELT_SOFT, most });
  write(pen, texts.told, SIDE + 8, 238, { size: 42, weight: 700, colour: GOLD, most, least: 28 });
}

function player(pen, { seat, rank, won, name, total, amount, dash }, top, above) {
  const left = SIDE + 36, right = WIDTH - SIDE - 36, base = top + (amount ? 62 : 78);
  if (won) {
    pen.fillStyle = WASH;
    box(pen, SIDE + 14, top + 4, WIDTH - 2 * SIDE - 28, ROW - 8, 22);
  } else if (above && !above.won) {
    stroke(pen, [[left, top], [right, top]], { colour: LINE, width: 2 });
  }
  write(pen, String(rank), left + 20, top + 76, { size: 40, weight: 600, colour: won ? BRASS : SOFT, align: "center" });
  const colour = total.startsWith("+") ? GREEN : total === "0" ? INK : RED;
  const wide = write(pen, total, right, base + 4, { size: 76, weight: 700, colour, align: "right" });
  if (amount) write(pen, amount, right, top + 104, { size: 30, weight: 600, colour: SOFT, align: "right" });
  stroke(pen, [[left + 64, top + 60], [left + 136, top + 60]], { colour: COLOURS[seat], width: 7, dash, scale: 3.2 });
  write(pen, name, left + 160, top + 78, { size: 54, weight: 660, colour: INK, most: right - wide - left - 190, least: 38 });
}

/** The lines of the printed sheet, at their own scale. */
function chart(pen, { chart: lines, lines: players }, top) {
  const left = SIDE + 118, right = WIDTH - SIDE - 130;
  const across = (right - left) / (lines.right - lines.left);
  const at = ([x, y]) => [left + (x - lines.left) * across, top + y * DOWN];
  for (const [y, level] of lines.rules) {
    const colour = level === "0" ? INK : LINE;
    stroke(pen, [at([lines.left, y]), at([lines.right, y])], { colour, width: 2 });
    write(pen, level, left - 12, at([0, y])[1] + 8, { size: 22, colour: SOFT, align: "right" });
  }
  for (const [x, number] of lines.ticks) {
    write(pen, number, ...at([x, lines.tick_y]), { size: 22, colour: SOFT, align: "center" });
  }
  for (const { seat } of players) {
    const { points, leader, dash, label, label_y: y } = lines.curves[seat];
    const colour = COLOURS[seat];
    stroke(pen, pairs(points).map(at), { colour, width: 5, dash, scale: 2.6 });
    stroke(pen, pairs(leader).map(at), { colour, width: 2 });
    const [x, base] = at([lines.label_x, y]);
    write(pen, label, x, base + 8, { size: 21, weight: 700, colour });
  }
}

const pairs = (points) => points.split(" ").map((point) => point.split(",").map(Number));

function stroke(pen, points, { colour, width, dash = "none", scale = 1 }) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.lineJoin = "round";
  pen.setLineDash(dash === "none" ? [] : dash.split(" ").map((length) => length * scale));
  pen.beginPath();
  points.forEach((point, n) => (n ? pen.lineTo(...point) : pen.moveTo(...point)));
  pen.stroke();
}

function box(pen, x, y, width, height, radius) {
  pen.beginPath();
  pen.moveTo(x + radius, y);
  pen.arcTo(x + width, y, x + width, y + height, radius);
  pen.arcTo(x + width, y + height, x, y + height, radius);
  pen.arcTo(x, y + height, x, y, radius);
  pen.arcTo(x, y, x + width, y, radius);
  pen.fill();
}

/** One line of text: smaller, and in the end with an ellipsis, where it is too long; answers how wide it is. */
function write(pen, text, x, y, { size, weight = 400, colour, align = "left", most = Infinity, least = size }) {
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.direction = FROM_THE_RIGHT.test(text) ? "rtl" : "ltr";
  do pen.font = `${weight} ${size}px ${FONT}`;
  while (pen.measureText(text).width > most && (size -= 2) >= least);
  const shown = shortened(pen, text, most);
  pen.fillText(shown, x, y);
  return pen.measureText(shown).width;
}

/** The text as far as it fits, cut between what a reader sees as characters. */
export function shortened(pen, text, most) {
  if (pen.measureText(text).width <= most) return text;
  const seen = globalThis.Intl?.Segmenter ? Array.from(new Intl.Segmenter().segment(text), (s) => s.segment) : Array.from(text);
  while (seen.length > 1 && pen.measureText(`${seen.join("").trimEnd()}…`).width > most) seen.pop();
  return `${seen.join("").trimEnd()}…`;
}
