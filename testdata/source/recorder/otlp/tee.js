// Appends what an exporter posts to files, and hands it on: FILE-PREFIX PORT…
const http = require('http'), fs = require('fs');
const [prefix, ...ports] = process.argv.slice(2);
http.createServer((request, response) => {
  const parts = [];
  request.on('data', part => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    fs.appendFileSync(prefix + request.url.replace(/\W+/g, '-') + '.json', body + '\n');
    for (const port of ports) {
      const on = http.request({ port, host: '127.0.0.1', path: request.url, method: 'POST', headers: { 'content-type': 'application/json' } }, answer => answer.resume());
      on.on('error', error => console.log(port, error.message));
      on.end(body);
    }
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
}).listen(14318, '127.0.0.1');
