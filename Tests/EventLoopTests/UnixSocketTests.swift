import EventLoop
import Glibc
import Testing

@Suite("A Unix socket")
struct UnixSocketTests {
    @Test("is private, knows its peer's user, and is gone after the close")
    func lifeCycle() throws {
        try withDirectory { directory in
            let path = directory + "/control.sock"
            try withLoop { loop in
                let listener = try loop.listen(path: path) { stream in
                    #expect(stream.peerUserID == getuid())
                    #expect(stream.peerAddress == "unix")
                    stream.tune()
                    stream.onBytes = { stream.write($0) }
                    stream.onEnd = { _ in stream.close() }
                    stream.start()
                }
                #expect(mode(path) == S_IFSOCK | 0o600)
                #expect(listener.port == 0)
                loop.connect(path: path) { result in
                    guard case .success(let stream) = result else {
                        Issue.record("\(result)")
                        return loop.stop()
                    }
                    #expect(stream.peerUserID == getuid())
                    stream.onBytes = { bytes in
                        #expect(bytes == Array("hello".utf8))
                        stream.close()
                        listener.close()
                        #expect(mode(path) == nil)
                        loop.stop()
                    }
                    stream.start()
                    stream.write(Array("hello".utf8))
                }
            }
        }
    }

    @Test("is removed when the loop ends")
    func removedAtEnd() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            try withLoop { loop in
                _ = try loop.listen(path: path) { _ in }
                loop.stop()
            }
            #expect(mode(path) == nil)
        }
    }

    @Test("is not taken from whoever answers on it")
    func inUse() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            try withLoop { loop in
                _ = try loop.listen(path: path) { _ in }
                let error = #expect(throws: LoopError.self) { try loop.listen(path: path) { _ in } }
                #expect(error?.name == "EADDRINUSE")
                #expect(mode(path) != nil)
                loop.stop()
            }
        }
    }

    @Test("replaces one that nobody answers on")
    func stale() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            // A listener whose file was renamed is not ours to remove, so it stays behind without a process.
            let other = directory + "/other"
            try withLoop { loop in
                _ = try loop.listen(path: other) { _ in }
                #expect(unsafe rename(other, path) == 0)
                loop.stop()
            }
            #expect(mode(path) != nil)
            try withLoop { loop in
                _ = try loop.listen(path: path) { _ in }
                loop.connect(path: path) { result in
                    #expect(throws: Never.self) { try result.get() }
                    loop.stop()
                }
            }
            #expect(mode(path) == nil)
        }
    }

    @Test("never replaces a file of another kind")
    func otherFile() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            let file = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
            close(file)
            defer { _ = unsafe unlink(path) }
            let loop = try EventLoop()
            let error = #expect(throws: LoopError.self) { try loop.listen(path: path) { _ in } }
            #expect(error?.name == "EADDRINUSE")
            #expect(mode(path) == S_IFREG | 0o600)
            loop.run()
        }
    }

    @Test("leaves a file alone that took its place")
    func replaced() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            try withLoop { loop in
                let first = try loop.listen(path: path) { _ in }
                #expect(unsafe unlink(path) == 0)
                let second = try loop.listen(path: path) { _ in }
                first.close()
                #expect(mode(path) != nil)
                second.close()
                #expect(mode(path) == nil)
                loop.stop()
            }
        }
    }

    @Test("refuses a path of 108 bytes in words, takes one of 107")
    func longPath() throws {
        try withDirectory { directory in
            let longest = directory + "/" + String(repeating: "x", count: 107 - directory.utf8.count - 1)
            try withLoop { loop in
                try loop.listen(path: longest) { _ in }.close()
                let error = #expect(throws: LoopError.self) { try loop.listen(path: longest + "x") { _ in } }
                #expect(error?.name == "ENAMETOOLONG")
                loop.connect(path: longest + "x") { result in
                    let error = #expect(throws: LoopError.self) { try result.get() }
                    #expect(error?.name == "ENAMETOOLONG")
                    loop.stop()
                }
            }
        }
    }

    @Test("that is missing is an error of the connect")
    func missing() throws {
        try withLoop { loop in
            loop.connect(path: "/nonexistent/s") { result in
                let error = #expect(throws: LoopError.self) { try result.get() }
                #expect(error?.name == "ENOENT")
                loop.stop()
            }
        }
    }
}

private func mode(_ path: String) -> mode_t? {
    var info = stat()
    return unsafe lstat(path, &info) == 0 ? info.st_mode : nil
}
