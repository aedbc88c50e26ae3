# Websites of a test, over https, on 127.0.0.1: one server for all hosts (Galley::Sites). The
# first label of the host says what it does, up to a hyphen. Each request is a line of JSON in
# FOLDER/requests.
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
import time

folder = sys.argv[1]
written = threading.Lock()


def context_of(name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain('%s/%s' % (folder, name), folder + '/key')
    return context


trusted, stranger, frames = (context_of(name) for name in ('certificate', 'stranger', 'certificate'))
frames.set_alpn_protocols(['h2'])


def read(connection):
    head = b''
    while b'\r\n\r\n' not in head and len(head) < 65536:
        more = connection.recv(65536)
        if not more:
            return None
        head += more
    head, body = head.split(b'\r\n\r\n', 1)
    lines = head.decode('latin-1').split('\r\n')
    fields = {}
    for line in lines[1:]:
        name, value = line.split(':', 1)
        fields[name.strip().lower()] = value.strip()
    while len(body) < int(fields.get('content-length', 0)):
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    return lines[0], fields, body.decode()


def note(request):
    line, fields, body = request
    text = json.dumps({'line': line, 'headers': fields, 'body': body, 'at': time.time()})
    with written, open(folder + '/requests', 'a') as out:
        out.write(text + '\n')


def simple(status, more=''):
    return ('HTTP/1.1 %s\r\n%sContent-Length: 2\r\nConnection: close\r\n\r\nOK'
            % (status, more)).encode()


def moves(where):
    return simple('302 Found', 'Location: %s\r\n' % where)


# What is sent at once: the connection is closed behind it.
said = {
    'fails': simple('500 No'),
    'moves': moves('https://good.example/moved'),
    'itself': moves('https://itself.example/'),
    'inward': moves('http://169.254.169.254/latest/meta-data/'),
    'plain': moves('http://good.example/'),
    'file': moves('file:///etc/passwd'),
    'empty': simple('204 No Content'),
    # A request of another host in the answer: nothing may read it as such.
    'follows': simple('200 OK') + simple('500 No'),
    'closes': b'',
    'cut': b'HTTP/1.1 20',
    'old': b'OK\n',
    'odd': b'HTTP/1.1 -200 OK\r\n\r\n',
    'high': b'HTTP/1.1 1000 OK\r\n\r\n',
    'nul': b'HTTP/1.1 \x00\x00\x00 OK\r\n\r\n',
    'switches': b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: galley\r\n\r\n' + b'\xff' * 1000,
    'huge': b'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n',
    'large': b'HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\nx',
    'chunk': b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nx',
    'big': b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFF\r\nx',
    'two': b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nxxxxx',
}

# What begins an answer that has no end, and what is sent again and again behind it.
endless = {
    'long': (b'HTTP/1.1 200 OK\r\n\r\n', b'x' * 65536),
    'heads': (b'HTTP/1.1 200 OK\r\n', b'X-Field: ' + b'x' * 1000 + b'\r\n'),
    'line': (b'HTTP/1.1 200 OK\r\nX-Field: ', b'x' * 65536),
    'status': (b'HTTP/1.1 200 ', b'x' * 65536),
    'flood': (b'', b'HTTP/1.1 100 Continue\r\n\r\n' * 1000),
    'newlines': (b'', b'\r\n' * 1000),
    'trailer': (b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', b'X: y\r\n' * 100),
}

# The same, a piece each second.
slow = {
    'slow': (b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n', b'X: y\r\n'),
    'drips': (b'HTTP/1.1 20', b'0'),
    'waits': (b'', b'HTTP/1.1 100 Continue\r\n\r\n'),
    'trickles': (b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', b'x'),
}


# A file of FOLDER/files, after a time that its name says: 3s-a.png.
def send_file(connection, path):
    name = os.path.basename(path)
    waits = re.match(r'(\d+)s-', name)
    if waits:
        time.sleep(int(waits.group(1)))
    try:
        with open('%s/files/%s' % (folder, name), 'rb') as file:
            body = file.read()
        status = '200 OK'
    except OSError:
        body, status = b'No', '404 Not Found'
    connection.sendall(('HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n'
                        % (status, len(body))).encode() + body)


# A page of FOLDER/pages, by the last part of its address; one that begins with "https:" is where
# it moved.
def page(connection, path):
    name = re.sub('[^a-z0-9-]', '', path.rstrip('/').rsplit('/', 1)[-1])
    try:
        with open(folder + '/pages/' + name, 'rb') as file:
            body = file.read()
    except OSError:
        connection.sendall(simple('404 Not Found'))
        return
    if body.startswith(b'https:'):
        connection.sendall(moves(body.decode()))
        return
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n'
                       b'Content-Length: %d\r\nConnection: close\r\n\r\n' % len(body) + body)


def answer(connection, kind, path):
    if kind == 'files':
        send_file(connection, path)
    elif kind in ('hangs', 'half'):
        if kind == 'half':
            connection.sendall(b'HTTP/1.1 20')
        time.sleep(60)
    elif kind == 'pages':
        page(connection, path)
    elif kind == 'garbage':
        connection.sendall(os.urandom(200000))
    elif kind == 'resets':
        reset(connection)
    elif kind in said:
        connection.sendall(said[kind])
    elif kind in endless:
        first, piece = endless[kind]
        connection.sendall(first)
        until = time.time() + 60
        while time.time() < until:
            connection.sendall(piece)
    elif kind in slow:
        first, piece = slow[kind]
        connection.sendall(first)
        for _ in range(60):
            connection.sendall(piece)
            time.sleep(1)
    else:
        connection.sendall(simple('200 OK'))


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))


# What is done before the handshake, by the name that the client says in it. True: nothing is left.
def begin(raw, kind):
    if kind == 'deaf':
        time.sleep(60)
    elif kind == 'rude':
        raw.sendall(os.urandom(100000))
    elif kind == 'bare':
        raw.sendall(simple('200 OK'))
    elif kind == 'shuts':
        reset(raw)
    return kind in ('deaf', 'rude', 'bare', 'shuts')


# HTTP/2: settings, and then pings without an end.
def flood(connection):
    connection.sendall(b'\0\0\0\4\0\0\0\0\0')
    until = time.time() + 60
    while time.time() < until:
        connection.sendall(b'\0\0\x08\6\0\0\0\0\0galleyxx' * 1000)


def name_of(raw):
    found = re.search(rb'([a-z0-9-]+)\.example', raw.recv(4096, socket.MSG_PEEK))
    return found.group(1).decode() if found else ''


def serve(raw):
    try:
        raw.settimeout(70)
        kind = name_of(raw).split('-')[0]
        if not begin(raw, kind):
            context = stranger if kind == 'stranger' else frames if kind == 'frames' else trusted
            raw = context.wrap_socket(raw, server_side=True)
            if kind == 'frames':
                flood(raw)
            request = read(raw)
            if request is not None:
                note(request)
                answer(raw, request[1].get('host', '').split('.')[0].split('-')[0],
                       request[0].split(' ')[1])
        raw.close()
    except (OSError, ValueError):
        raw.close()


server = socket.create_server(('127.0.0.1', 0), backlog=256)
with open(folder + '/port.new', 'w') as out:
    out.write(str(server.getsockname()[1]))
os.rename(folder + '/port.new', folder + '/port')
while True:
    accepted, _ = server.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
