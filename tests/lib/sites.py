# Websites of a test, over https, on 127.0.0.1: one server for all hosts (Galley::Sites). The
# first label of the host says what it does. Each request is a line of JSON in FOLDER/requests.
import json
import os
import socket
import ssl
import sys
import threading
import time

folder = sys.argv[1]
written = threading.Lock()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + '/certificate', folder + '/key')


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


def answer(connection, host):
    kind = host.split('.')[0].split('-')[0]
    if kind == 'hangs':
        time.sleep(60)
    elif kind == 'moves':
        connection.sendall(simple('302 Found', 'Location: https://good.example/moved\r\n'))
    elif kind == 'garbage':
        connection.sendall(os.urandom(200000))
    elif kind == 'long':
        connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n')
        for _ in range(1000):
            connection.sendall(b'x' * 65536)
    elif kind == 'heads':
        connection.sendall(b'HTTP/1.1 200 OK\r\n')
        for _ in range(10000):
            connection.sendall(b'X-Field: ' + b'x' * 1000 + b'\r\n')
    elif kind == 'slow':
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n')
        for _ in range(60):
            connection.sendall(b'X: y\r\n')
            time.sleep(1)
    elif kind == 'closes':
        pass
    elif kind == 'fails':
        connection.sendall(simple('500 No'))
    elif kind == 'follows':
        # A request of another host in the answer: nothing may read it as such.
        connection.sendall(simple('200 OK') + simple('500 No'))
    else:
        connection.sendall(simple('204 No Content', '') if kind == 'empty' else simple('200 OK'))


def serve(raw):
    try:
        raw.settimeout(70)
        connection = context.wrap_socket(raw, server_side=True)
        request = read(connection)
        if request is not None:
            note(request)
            answer(connection, request[1].get('host', ''))
        connection.close()
    except (OSError, ValueError):
        raw.close()


server = socket.create_server(('127.0.0.1', 0), backlog=256)
with open(folder + '/port.new', 'w') as out:
    out.write(str(server.getsockname()[1]))
os.rename(folder + '/port.new', folder + '/port')
while True:
    accepted, _ = server.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
