/*
 * git.exe for tests under Wine. It sends its arguments, working directory, environment and standard input to
 * git-server.ts, which runs the git of the Linux system, and passes on what that git prints. Git for Windows cannot be
 * installed from the package registries that CI uses.
 *
 * The port is in the file `port` next to this program, because Backstory removes unknown variables from git's
 * environment. Every message is a 4-byte length in network byte order and that many bytes. From the server, the first
 * byte says what follows: 1 standard output, 2 standard error, 3 the exit code.
 */
#include <winsock2.h>
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static SOCKET server;

static void fail(const char *reason) {
  fprintf(stderr, "fatal: the git of the test could not be reached: %s\n", reason);
  ExitProcess(128);
}

static void send_bytes(const char *bytes, int length) {
  while (length > 0) {
    int sent = send(server, bytes, length, 0);
    if (sent <= 0) return;
    bytes += sent;
    length -= sent;
  }
}

static void send_message(const char *bytes, int length) {
  u_long size = htonl((u_long)length);
  send_bytes((char *)&size, 4);
  send_bytes(bytes, length);
}

static void send_text(const wchar_t *text) {
  int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
  char *bytes = malloc(length);
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, length, NULL, NULL);
  send_message(bytes, length - 1);
  free(bytes);
}

static void send_count(int count) {
  char digits[16];
  send_message(digits, snprintf(digits, sizeof digits, "%d", count));
}

static int receive(char *bytes, int length) {
  while (length > 0) {
    int received = recv(server, bytes, length, 0);
    if (received <= 0) return 0;
    bytes += received;
    length -= received;
  }
  return 1;
}

static int read_port(void) {
  wchar_t path[4096];
  GetModuleFileNameW(NULL, path, 4090);
  wcscpy(wcsrchr(path, L'\\') + 1, L"port");
  FILE *file = _wfopen(path, L"r");
  int port = 0;
  if (file == NULL || fscanf(file, "%d", &port) != 1) fail("no port");
  fclose(file);
  return port;
}

/* In a thread, because git may print before it has read all its input. An empty message ends the input. */
static DWORD WINAPI send_input(void *unused) {
  HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
  char bytes[65536];
  DWORD count;
  while (ReadFile(input, bytes, sizeof bytes, &count, NULL) && count > 0) send_message(bytes, (int)count);
  send_message("", 0);
  return 0;
}

static void print(DWORD stream, const char *bytes, DWORD length) {
  HANDLE output = GetStdHandle(stream);
  DWORD written;
  while (length > 0 && WriteFile(output, bytes, length, &written, NULL)) {
    bytes += written;
    length -= written;
  }
}

int wmain(int argc, wchar_t **argv) {
  WSADATA data;
  struct sockaddr_in address = {0};
  WSAStartup(MAKEWORD(2, 2), &data);
  server = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_port = htons((u_short)read_port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) fail("no server");

  wchar_t folder[32768];
  GetCurrentDirectoryW(32768, folder);
  send_text(folder);
  /* Windows removes no folder in which a process runs, and this one may end later than its caller notices. */
  SetCurrentDirectoryW(L"Z:\\");
  send_count(argc - 1);
  for (int i = 1; i < argc; i++) send_text(argv[i]);
  wchar_t *environment = GetEnvironmentStringsW();
  int variables = 0;
  for (wchar_t *at = environment; *at != 0; at += wcslen(at) + 1) variables++;
  send_count(variables);
  for (wchar_t *at = environment; *at != 0; at += wcslen(at) + 1) send_text(at);
  CreateThread(NULL, 0, send_input, NULL, 0, NULL);

  for (;;) {
    u_long size;
    if (!receive((char *)&size, 4)) fail("the connection ended");
    int length = (int)ntohl(size);
    char *bytes = malloc(length);
    if (!receive(bytes, length)) fail("the connection ended");
    if (bytes[0] == 1) print(STD_OUTPUT_HANDLE, bytes + 1, length - 1);
    if (bytes[0] == 2) print(STD_ERROR_HANDLE, bytes + 1, length - 1);
    if (bytes[0] == 3) ExitProcess((UINT)(unsigned char)bytes[1]);
    free(bytes);
  }
}
