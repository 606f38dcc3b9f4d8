// SPDX-License-Identifier: BSD-3-Clause
// Viewer: draws the scene of a report (report/scene.py) with WebGL 2 and lets people look around. No dependency.
//
// makeViewer(canvas, overlay, hint, scene) returns { show(t), draw(), view(name), names(on) }, or null without WebGL.
// World axes, z up, metres. Quaternions are [w, x, y, z]. Yaw 0 looks along +y: x to the right, z up.
"use strict";

function unpack(text) {
  return new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

const makeViewer = (() => {
  // --- vectors and turns ---
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = (a) => Math.hypot(a[0], a[1], a[2]);
  const turned = (q, v) => {
    const axis = [q[1], q[2], q[3]], twice = scaled(cross(axis, v), 2);
    return add(add(v, scaled(twice, q[0])), cross(axis, twice));
  };
  const composed = (a, b) => [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
  const zTo = (d) => {
    if (d[2] < -0.999999) return [0, 1, 0, 0];
    const q = [1 + d[2], -d[1], d[0], 0], n = Math.hypot(...q);
    return q.map((value) => value / n);
  };
  const slerp = (a, b, part) => {
    let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const sign = cosine < 0 ? -1 : 1;  // q and -q are one orientation: go the short way
    cosine *= sign;
    let left = 1 - part, right = part;
    if (cosine < 0.9999) {
      const angle = Math.acos(cosine), sine = Math.sin(angle);
      left = Math.sin(left * angle) / sine;
      right = Math.sin(right * angle) / sine;
    }
    const q = a.map((value, i) => left * value + sign * right * b[i]), n = Math.hypot(...q) || 1;
    return q.map((value) => value / n);
  };

  // --- unit meshes: positions and normals of triangles ---
  function grid(rows, columns, vertex) {
    const out = [];
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) {
      const corner = (a, b) => vertex((i + a) / rows, (j + b) / columns);
      out.push(...corner(0, 0), ...corner(1, 0), ...corner(1, 1), ...corner(0, 0), ...corner(1, 1), ...corner(0, 1));
    }
    return out;
  }
  function box() {
    const out = [];
    for (let axis = 0; axis < 3; axis++) for (const side of [-1, 1]) {
      const put = (u, v) => {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = side / 2; p[(axis + 1) % 3] = u / 2; p[(axis + 2) % 3] = v / 2; n[axis] = side;
        return [...p, ...n];
      };
      out.push(...put(-1, -1), ...put(1, -1), ...put(1, 1), ...put(-1, -1), ...put(1, 1), ...put(-1, 1));
    }
    return out;
  }
  const TURN = 2 * Math.PI;
  function cylinder(top = 1) {
    const round = (u) => [Math.cos(TURN * u), Math.sin(TURN * u)];
    const side = (u, v) => {
      const [c, s] = round(u), r = v ? top : 1;
      return [r * c, r * s, v - 0.5, c, s, 1 - top];
    };
    const cap = (z) => (u, v) => { const [c, s] = round(u); return [v * c, v * s, z, 0, 0, 2 * z]; };
    return [...grid(32, 1, side), ...grid(32, 1, cap(-0.5)), ...(top ? grid(32, 1, cap(0.5)) : [])];
  }
  function sphere() {
    return grid(28, 14, (u, v) => {
      const a = TURN * u, b = Math.PI * (v - 0.5), c = Math.cos(b);
      const p = [c * Math.cos(a), c * Math.sin(a), Math.sin(b)];
      return [...p, ...p];
    });
  }
  function sheet({ rows, columns, points: text }) {
    const points = unpack(text);
    const at = (i, j) => {
      const k = 3 * (Math.min(Math.max(i, 0), rows - 1) * columns + Math.min(Math.max(j, 0), columns - 1));
      return [points[k], points[k + 1], points[k + 2]];
    };
    return grid(rows - 1, columns - 1, (u, v) => {
      const i = Math.round(u * (rows - 1)), j = Math.round(v * (columns - 1));
      return [...at(i, j), ...cross(sub(at(i + 1, j), at(i - 1, j)), sub(at(i, j + 1), at(i, j - 1)))];
    });
  }
  function coil() {
    // the centre line is what is scaled; the wire's thickness is added along the normals afterwards
    const coils = 8, ends = 0.08;
    return grid(160, 6, (u, v) => {
      const inner = Math.min(Math.max((u - ends) / (1 - 2 * ends), 0), 1);
      const r = Math.min(1, Math.min(u, 1 - u) / ends), a = TURN * coils * inner;
      const c = Math.cos(a), s = Math.sin(a), wire = TURN * v, out = Math.cos(wire);
      return [r * c, r * s, u - 0.5, out * c, out * s, Math.sin(wire)];
    });
  }

  const VERTEX = `#version 300 es
    in vec3 position, normal;
    uniform mat4 eye; uniform vec3 place, size, light; uniform vec4 turn; uniform float inflate, floorHeight, flatten;
    out vec3 n, p;
    vec3 rotate(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
    void main() {
      n = rotate(turn, inflate > 0.0 ? normal : normal / max(size, vec3(1e-9)));
      p = place + rotate(turn, position * size) + inflate * normalize(n);
      if (flatten > 0.0) p -= light * (p.z - floorHeight) / light.z;
      gl_Position = eye * vec4(p, 1.0);
    }`;
  const FRAGMENT = `#version 300 es
    precision highp float;
    in vec3 n, p; out vec4 colour;
    uniform vec4 paint, earth, line; uniform vec3 light, viewer, middle; uniform float mode, cell, radius;
    void main() {
      if (mode < 0.5) {                                              // a lit solid
        vec3 m = normalize(n), toViewer = normalize(viewer - p);
        float sun = max(dot(m, light), 0.0), sky = 0.5 + 0.5 * m.z, front = max(dot(m, toViewer), 0.0);
        float gleam = pow(max(dot(m, normalize(light + toViewer)), 0.0), 40.0);
        vec3 own = 0.07 + 0.93 * paint.rgb;                          // black, too, shows its form
        colour = vec4(own * (0.30 + 0.22 * sky + 0.42 * sun + 0.16 * front) + 0.12 * gleam, paint.a);
      } else if (mode < 1.5) {                                       // plain: shadows, picking
        colour = paint;
      } else {                                                       // the ground with its grid and the x and y axes
        vec2 c = p.xy / cell, w = fwidth(c), near = abs(fract(c - 0.5) - 0.5) / w;
        float on = 1.0 - min(min(near.x, near.y), 1.0), fine = 1.0 - smoothstep(0.2, 0.6, max(w.x, w.y));
        vec2 axis = 1.0 - min(abs(c) / w / 1.5, 1.0);
        vec3 tone = mix(earth.rgb, line.rgb, on * fine);
        tone = mix(mix(tone, vec3(0.80, 0.25, 0.22), 0.7 * axis.y), vec3(0.20, 0.58, 0.28), 0.7 * axis.x);
        colour = vec4(tone, 1.0 - smoothstep(0.35 * radius, radius, distance(p.xy, middle.xy)));
      }
    }`;
  const LIGHT = (() => { const d = [-0.35, -0.5, 0.95]; return scaled(d, 1 / length(d)); })();
  const FIELD = 32 * Math.PI / 180;
  const STEEL = "#6f7883", CHROME = "#d5dae0", WIRE = "#8593a1", AXES = ["#cc4038", "#339449", "#3b6fd0"];

  return function makeViewer(canvas, overlay, hint, scene) {
    const wanted = { antialias: true, stencil: true, alpha: false, preserveDrawingBuffer: true };
    const gl = canvas.getContext("webgl2", wanted);
    if (!gl) return null;

    // --- program and meshes ---
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "position");
    gl.bindAttribLocation(program, 1, "normal");
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
    gl.useProgram(program);
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(program, i);
      at[name] = gl.getUniformLocation(program, name);
    }
    const meshes = {}, sheets = scene.sheets ?? [];
    const drawn = { box: box(), cylinder: cylinder(), cone: cylinder(0), sphere: sphere(), coil: coil() };
    for (const [number, one] of sheets.entries()) drawn[`sheet ${number}`] = sheet(one);
    for (const [name, data] of Object.entries(drawn)) {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
      for (const slot of [0, 1]) {
        gl.enableVertexAttribArray(slot);
        gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 24, 12 * slot);
      }
      meshes[name] = { array, count: data.length / 6 };
    }
    const pickTarget = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, pickTarget);
    for (const [place, format] of [[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT16]]) {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);

    // --- the scene: what is fixed to bodies, and poses at one time ---
    const times = unpack(scene.time), poses = unpack(scene.poses), count = scene.bodies.length;
    const [low, high] = scene.bounds, extent = sub(high, low), centre = scaled(add(low, high), 0.5);
    const size = Math.max(length(extent), 1e-6);
    const rest = scene.floor ?? (low[2] > -0.05 * size && low[2] < 2 * size ? 0 : low[2]);
    const floorHeight = rest - 1e-4 * size;
    const cell = (() => {
      const rough = size / 8, power = 10 ** Math.floor(Math.log10(rough));
      return power * [1, 2, 5, 10].find((step) => power * step >= rough * 0.999);
    })();
    hint.textContent = `grid ${cell >= 1 ? `${+cell.toPrecision(1)} m` : `${+(1000 * cell).toPrecision(1)} mm`}`;
    const paints = new Map(), brush = document.createElement("canvas").getContext("2d");
    function paintOf(colour) {
      if (!paints.has(colour)) {
        brush.fillStyle = "#808080";
        brush.fillStyle = colour;  // an unknown name leaves the grey
        const hex = /^#[0-9a-f]{6}$/.test(brush.fillStyle) ? brush.fillStyle : "#808080";
        paints.set(colour, [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255));
      }
      return paints.get(colour);
    }
    const GROUND = { p: [0, 0, 0], q: [1, 0, 0, 0] };
    let now = [];
    const body = (index) => (index < 0 ? GROUND : now[index]);
    const onBody = ([index, place]) => add(body(index).p, turned(body(index).q, place));

    function show(t) {
      let left = 0, right = times.length - 1;
      while (right - left > 1) {
        const middle = (left + right) >> 1;
        if (times[middle] <= t) left = middle; else right = middle;
      }
      const span = times[right] - times[left];
      const part = span > 0 ? Math.min(Math.max((t - times[left]) / span, 0), 1) : 0;
      now = scene.bodies.map((_, i) => {
        const a = poses.subarray(7 * (left * count + i), 7 * (left * count + i) + 7);
        const b = poses.subarray(7 * (right * count + i), 7 * (right * count + i) + 7);
        return { p: [0, 1, 2].map((k) => (1 - part) * a[k] + part * b[k]), q: slerp([...a.slice(3)], [...b.slice(3)], part) };
      });
    }

    // --- everything that is drawn now, as [mesh, place, turn, size, colour, owner, inflate] ---
    function* items() {
      for (const solid of scene.solids) {
        const { p, q } = body(solid.body);
        yield [solid.mesh, add(p, turned(q, solid.at)), composed(q, solid.turn), solid.size, solid.colour, solid.body];
      }
      for (const [number, line] of scene.lines.entries()) {
        const a = onBody(line.a), b = onBody(line.b), reach = length(sub(b, a)), owner = count + number;
        if (!(reach > 0)) continue;
        const along = scaled(sub(b, a), 1 / reach), q = zTo(along), r = line.radius;
        const tube = (from, to, radius, colour) =>
          ["cylinder", add(a, scaled(along, (from + to) / 2)), q, [radius, radius, to - from], colour, owner];
        const ball = (place, radius, colour) => ["sphere", place, q, [radius, radius, radius], colour, owner];
        if (line.form === "coil") {
          yield ["coil", scaled(add(a, b), 0.5), q, [r, r, reach], WIRE, owner, line.wire];
        } else if (line.form === "ram") {
          const barrel = Math.min(line.barrel, 0.97 * reach);
          yield tube(0, barrel, r, STEEL);
          yield tube(0.5 * barrel, reach, line.rod, CHROME);
          yield ball(a, r, STEEL);
          yield ball(b, 1.7 * line.rod, STEEL);
        } else yield tube(0, reach, r, STEEL);
      }
    }

    // --- camera ---
    const camera = { yaw: 0, pitch: 0, distance: size, target: centre };
    const flat = (i) => extent[i] < 0.35 * Math.min(...extent.filter((_, k) => k !== i));
    // seen from the side the view goes along the pins; the whole machine is seen from between side and front
    const SIDE = scene.side, slim = Math.abs(Math.cos(SIDE * Math.PI / 180)) > 0.7 ? flat(1) : flat(0);
    const [aside, above] = slim ? [22, 12] : flat(2) ? [30, 50] : [38, 20];
    const HOME = [SIDE > 45 ? SIDE - aside : SIDE + aside, above];
    const VIEWS = { front: [SIDE + 90, 0], side: [SIDE, 0], top: [SIDE, 90], reset: HOME };
    function basis() {
      const { yaw, pitch } = camera, c = Math.cos(pitch), s = Math.sin(pitch);
      const right = [Math.cos(yaw), Math.sin(yaw), 0], ahead = [-Math.sin(yaw) * c, Math.cos(yaw) * c, -s];
      return { right, ahead, up: cross(right, ahead), eye: sub(camera.target, scaled(ahead, camera.distance)) };
    }
    const aspect = () => Math.max(canvas.clientWidth, 1) / Math.max(canvas.clientHeight, 1);
    function view(name) {
      const [yaw, pitch] = VIEWS[name].map((angle) => (angle * Math.PI) / 180);
      Object.assign(camera, { yaw, pitch, target: centre });
      const { right, up, ahead } = basis(), tall = Math.tan(FIELD / 2), wide = tall * aspect();
      camera.distance = 0;
      for (let i = 0; i < 8; i++) {
        const corner = [0, 1, 2].map((k) => ((i >> k) & 1 ? 0.5 : -0.5) * extent[k]);
        const need = Math.max(Math.abs(dot(corner, right)) / wide, Math.abs(dot(corner, up)) / tall) - dot(corner, ahead);
        camera.distance = Math.max(camera.distance, 1.12 * need);
      }
      fitted = name;
      draw();
    }
    let fitted = "reset";  // the named view that is still as it was, or "" once someone has moved it
    function project() {
      const { right, up, ahead, eye } = basis(), near = 0.02 * camera.distance, far = camera.distance + 30 * size;
      const f = 1 / Math.tan(FIELD / 2), a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
      const rows = [scaled(right, f / aspect()), scaled(up, f), scaled(ahead, -a), ahead];
      const ends = [-dot(rows[0], eye), -dot(rows[1], eye), a * dot(ahead, eye) + b, -dot(ahead, eye)];
      return new Float32Array([0, 1, 2].flatMap((k) => rows.map((row) => row[k])).concat(ends));
    }
    function onScreen(matrix, point) {
      const [x, y, , w] = [0, 1, 2, 3].map((i) => matrix[i] * point[0] + matrix[4 + i] * point[1] + matrix[8 + i] * point[2] + matrix[12 + i]);
      return w > 0 ? [(0.5 + 0.5 * x / w) * canvas.clientWidth, (0.5 - 0.5 * y / w) * canvas.clientHeight] : null;
    }

    // --- drawing ---
    function put([mesh, place, turn, sizes, , , inflate = 0], paint) {
      gl.uniform3fv(at.place, place);
      gl.uniform4fv(at.turn, turn);
      gl.uniform3fv(at.size, sizes);
      gl.uniform1f(at.inflate, inflate);
      gl.uniform4fv(at.paint, paint);
      gl.bindVertexArray(meshes[mesh].array);
      gl.drawArrays(gl.TRIANGLES, 0, meshes[mesh].count);
    }
    function draw() {
      const wide = Math.round(canvas.clientWidth * Math.min(devicePixelRatio || 1, 2));
      const tall = Math.round(canvas.clientHeight * Math.min(devicePixelRatio || 1, 2));
      if (!wide || !tall) return;
      if (canvas.width !== wide || canvas.height !== tall) Object.assign(canvas, { width: wide, height: tall });
      const style = getComputedStyle(document.documentElement), tone = (name) => paintOf(style.getPropertyValue(name).trim());
      const matrix = project(), { eye } = basis(), radius = 2.2 * size, all = [...items()];
      gl.viewport(0, 0, wide, tall);
      gl.clearColor(...tone("--sky"), 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      gl.uniformMatrix4fv(at.eye, false, matrix);
      gl.uniform3fv(at.light, LIGHT);
      gl.uniform3fv(at.viewer, eye);
      gl.uniform3fv(at.middle, centre);
      gl.uniform4fv(at.earth, [...tone("--earth"), 1]);
      gl.uniform4fv(at.line, [...tone("--grid"), 1]);
      gl.uniform1f(at.cell, cell);
      gl.uniform1f(at.radius, radius);
      gl.uniform1f(at.floorHeight, floorHeight);
      if (eye[2] > floorHeight) {
        // ground and shadows lie under everything, so they need no depth; the stencil lets no shadow darken twice
        gl.disable(gl.DEPTH_TEST);
        gl.uniform1f(at.flatten, 0);
        gl.uniform1f(at.mode, 2);
        put(["box", [centre[0], centre[1], floorHeight], [1, 0, 0, 0], [2 * radius, 2 * radius, 0]], [0, 0, 0, 1]);
        gl.uniform1f(at.flatten, 1);
        gl.uniform1f(at.mode, 1);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.EQUAL, 0, 255);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
        const shade = [0, 0, 0, parseFloat(style.getPropertyValue("--shadow"))];
        for (const item of all) put(item, shade);
        gl.disable(gl.STENCIL_TEST);
      }
      gl.enable(gl.DEPTH_TEST);
      gl.uniform1f(at.flatten, 0);
      gl.uniform1f(at.mode, 0);
      for (const item of all) put(item, [...paintOf(item[4]), 1]);
      gl.enable(gl.CULL_FACE);  // from behind a wall hides nothing
      for (const [number, { colour }] of sheets.entries()) {
        put([`sheet ${number}`, [0, 0, 0], [1, 0, 0, 0], [1, 1, 1]], [...paintOf(colour), 1]);
      }
      gl.disable(gl.CULL_FACE);
      label(matrix, drawAxes(wide, tall));
    }
    function drawAxes(wide, tall) {
      // the triad turns with the view but stays in its corner
      const side = Math.round(Math.min(wide, tall) * 0.2);
      gl.viewport(0, 0, side, side);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      const { right, up, ahead } = basis(), s = 0.68;
      const rows = [scaled(right, s), scaled(up, s), scaled(ahead, 0.3)];
      gl.uniformMatrix4fv(at.eye, false, new Float32Array([0, 1, 2].flatMap((k) => [...rows.map((row) => row[k]), 0]).concat([0, 0, 0, 1])));
      gl.uniform3fv(at.viewer, scaled(ahead, -100));
      return ["x", "y", "z"].map((letter, k) => {
        const axis = [0, 0, 0], paint = [...paintOf(AXES[k]), 1];
        axis[k] = 1;
        put(["cylinder", scaled(axis, 0.4), zTo(axis), [0.045, 0.045, 0.8]], paint);
        put(["cone", scaled(axis, 0.9), zTo(axis), [0.12, 0.12, 0.3]], paint);
        const scale = side / wide * canvas.clientWidth / 2;
        return [letter, scale * (1 + 1.25 * dot(rows[0], axis)), canvas.clientHeight - scale * (1 + 1.25 * dot(rows[1], axis))];
      });
    }

    // --- names ---
    let allNames = false, hovered = -1;
    const nameOf = (owner) => (owner < count ? scene.bodies[owner] : scene.lines[owner - count].name);
    const placeOf = (owner) => {
      const line = scene.lines[owner - count];
      if (line) return scaled(add(onBody(line.a), onBody(line.b)), 0.5);
      const own = scene.solids.filter((solid) => solid.body === owner);
      const middle = own.reduce((sum, solid) => add(sum, scaled(solid.at, 1 / own.length)), [0, 0, 0]);
      return onBody([owner, middle]);
    };
    function label(matrix, axes) {
      const spans = [];
      const write = (text, place, kind) => {
        const span = document.createElement("span");
        span.textContent = text;
        span.className = kind;
        const shift = kind === "axis" ? "translate(-50%, -50%)" : "translate(-50%, -140%)";
        span.style.transform = `translate(${place[0].toFixed(1)}px, ${place[1].toFixed(1)}px) ${shift}`;
        spans.push(span);
      };
      for (const [letter, x, y] of axes) write(letter, [x, y], "axis");
      const shown = new Set(hovered >= 0 ? [hovered] : []);
      if (allNames) for (let i = 0; i < count + scene.lines.length; i++) shown.add(i);
      for (const owner of shown) {
        const place = onScreen(matrix, placeOf(owner));
        if (place) write(nameOf(owner), place, "name");
      }
      overlay.replaceChildren(...spans);
    }
    function pick(x, y) {
      const ratio = canvas.width / Math.max(canvas.clientWidth, 1), pixel = new Uint8Array(4);
      gl.bindFramebuffer(gl.FRAMEBUFFER, pickTarget);
      gl.viewport(-Math.round(x * ratio), -Math.round(canvas.height - y * ratio), canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.disable(gl.BLEND);
      gl.uniformMatrix4fv(at.eye, false, project());
      gl.uniform1f(at.mode, 1);
      for (const item of items()) {
        const id = item[5] + 2;
        put(item, [(id & 255) / 255, ((id >> 8) & 255) / 255, 0, 1]);
      }
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      return pixel[0] + 256 * pixel[1] - 2;  // -2 nothing, -1 the ground
    }

    // --- mouse, touch, keyboard ---
    const turn = (x, y) => {
      camera.yaw -= x;
      camera.pitch = Math.min(Math.max(camera.pitch + y, -Math.PI / 2), Math.PI / 2);
    };
    const move = (x, y) => {
      const { right, up } = basis(), metre = (2 * Math.tan(FIELD / 2) * camera.distance) / Math.max(canvas.clientHeight, 1);
      camera.target = add(camera.target, add(scaled(right, -x * metre), scaled(up, y * metre)));
    };
    const zoom = (factor) => { camera.distance = Math.min(Math.max(camera.distance * factor, 0.02 * size), 60 * size); };
    const pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => pointers.delete(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId), here = [event.offsetX, event.offsetY];
      if (!before) {
        const found = event.pointerType === "touch" ? -2 : pick(...here);
        if (Math.max(found, -1) !== hovered) hovered = Math.max(found, -1);
        draw();
        return;
      }
      const [dx, dy] = [here[0] - before[0], here[1] - before[1]];
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
        zoom(apart(before) / apart(here));
        move(dx / 2, dy / 2);
      } else if (event.shiftKey || event.buttons & 6) move(dx, dy);
      else turn(0.008 * dx, 0.008 * dy);
      pointers.set(event.pointerId, here);
      fitted = "";
      draw();
    });
    canvas.addEventListener("pointerleave", () => { hovered = -1; draw(); });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(0.0012 * event.deltaY));
      fitted = "";
      draw();
    }, { passive: false });
    const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key], named = { 1: "front", 2: "side", 3: "top", 0: "reset" }[event.key];
      if (arrow && event.shiftKey) move(30 * arrow[0], 30 * arrow[1]);
      else if (arrow) turn(-0.12 * arrow[0], -0.12 * arrow[1]);
      else if (event.key === "+" || event.key === "=") zoom(0.85);
      else if (event.key === "-") zoom(1 / 0.85);
      else if (named) { view(named); event.preventDefault(); return; }
      else return;
      fitted = "";
      event.preventDefault();
      draw();
    });
    new ResizeObserver(() => (fitted ? view(fitted) : draw())).observe(canvas);
    show(times[0]);
    view("reset");
    return { show, draw, view, names: (on) => { allNames = on; draw(); }, end: times[times.length - 1], start: times[0], times, camera };
  };
})();
