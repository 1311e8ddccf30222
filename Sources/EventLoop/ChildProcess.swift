import CLibUV
import Glibc

/// A program that was started and gets some bytes on its standard input; the loop waits for its end.
///
/// It leads a process group of its own, so that what it started ends with it when it is killed. What it writes to
/// standard error goes where this process's goes, what it writes to standard output nowhere.
@safe package final class ChildProcess: HandleOwner {
    /// How a process ended.
    package enum End: Sendable, Hashable {
        case exited(code: Int64)
        case killed(signal: Int32)
    }

    private let loop: EventLoop
    private let handle = Handle(UV_PROCESS)
    private let input: Stream
    private let command: [String]
    private var ended: ((End) -> Void)?

    fileprivate init(
        _ loop: EventLoop,
        _ command: [String],
        input bytes: [UInt8],
        _ ended: @escaping (End) -> Void
    ) throws(LoopError) {
        loop.checkUse()
        precondition(!command.isEmpty, "a command has a program")
        self.loop = loop
        self.command = command
        self.ended = ended
        input = Stream(loop, .unix)
        let code = spawn()
        // libuv has begun the handle even where the program cannot be run: it is closed like any other then.
        try handle.open(owner: self, 0, "run \(command[0])")
        guard code == 0 else {
            close()
            throw LoopError(code: code, operation: "run \(command[0])")
        }
        // A program that does not read its input is none of our business.
        input.write(bytes)
        input.closeAfterWrites()
    }

    /// Kills it and what it started; its end is still told.
    package func kill() {
        if let process { _ = Glibc.kill(-process, SIGKILL) }
    }

    /// Its number, while it runs. Never 0 or 1: to a signal those would mean our own group, or everything.
    private var process: pid_t? {
        guard handle.isOpen else { return nil }
        let process = unsafe uv_process_get_pid(handle.pointer())
        return process > 1 ? process : nil
    }

    /// Waits for it no longer, and ends it: nobody would take note of its end any more. Idempotent.
    func close() {
        if ended != nil, let process {
            kill()
            _ = waitpid(process, nil, 0)
        }
        ended = nil
        input.close()
        handle.close()
    }
}

extension ChildProcess {
    private func spawn() -> CInt {
        var words = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var pipes = unsafe [uv_stdio_container_t](repeating: uv_stdio_container_t(), count: 3)
        unsafe pipes[0].flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | UV_READABLE_PIPE.rawValue)
        unsafe pipes[0].data.stream = input.pointer()
        unsafe pipes[1].flags = UV_IGNORE
        unsafe pipes[2].flags = UV_INHERIT_FD
        unsafe pipes[2].data.fd = STDERR_FILENO
        var options = unsafe uv_process_options_t()
        unsafe options.flags = CUnsignedInt(UV_PROCESS_DETACHED.rawValue)
        unsafe options.exit_cb = { process, code, signal in
            unsafe Handle.owner(process, ChildProcess.self).didEnd(code, signal)
        }
        // libuv copies nothing and keeps nothing of all this beyond the call.
        return unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe pipes.withUnsafeMutableBufferPointer { pipes in
                unsafe options.file = UnsafePointer(words[0])
                unsafe options.args = words.baseAddress
                unsafe options.stdio = pipes.baseAddress
                unsafe options.stdio_count = CInt(pipes.count)
                return unsafe uv_spawn(loop.raw, handle.pointer(), &options)
            }
        }
    }

    private func didEnd(_ code: Int64, _ signal: CInt) {
        let told = ended
        ended = nil
        close()
        told?(signal == 0 ? .exited(code: code) : .killed(signal: signal))
    }
}

extension EventLoop {
    /// Starts a program, gives it bytes to read, and calls back when it has ended.
    ///
    /// - Parameter command: an absolute path and the arguments.
    /// - Throws: what the system said where it cannot be run.
    package func run(
        _ command: [String],
        input: [UInt8],
        ended: @escaping (ChildProcess.End) -> Void
    ) throws(LoopError) -> ChildProcess {
        try ChildProcess(self, command, input: input, ended)
    }
}
