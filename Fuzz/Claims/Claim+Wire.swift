import Compression
import JSON
import Replication
import Wire

extension Claim {
    private static let compression = FrameCompression(
        compress: { Zstd.compress($0) },
        decompress: { try Zstd.decompress($0, limit: $1) }
    )

    /// The first byte says how long the pieces are, and whether the peer is logged in.
    func checkFrames(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        func frames(_ piece: Int) -> (frames: [Frame], error: WireError?) {
            var decoder = FrameDecoder(compression: Self.compression)
            if first & 1 == 1 { decoder.loggedIn() }
            var out: [Frame] = []
            var rest = bytes.dropFirst()
            do throws(WireError) {
                repeat {
                    decoder.feed(rest.prefix(piece))
                    rest = rest.dropFirst(piece)
                    while let frame = try decoder.next() { out.append(frame) }
                } while !rest.isEmpty
            } catch { return (out, error) }
            return (out, nil)
        }
        let whole = frames(max(1, bytes.count))
        let pieces = frames(Int(first >> 1) + 1)
        precondition(whole == pieces, "the same frames come out, whatever the pieces")
        var decoder = FrameDecoder(compression: Self.compression)
        decoder.loggedIn()
        for frame in whole.frames {
            guard let again = try? FrameEncoder(compression: Self.compression).encode(frame) else {
                precondition(
                    frame.kind == .hello || frame.kind == .bye,
                    "a frame that was read can be written"
                )
                continue
            }
            decoder.feed(again)
            precondition((try? decoder.next()) == frame, "a frame is read as it was written")
        }
    }

    /// The first byte is the kind.
    func checkMessages(_ bytes: [UInt8]) {
        guard let first = bytes.first, let kind = FrameKind(rawValue: first % 13) else { return }
        let frame = Frame(kind: kind, payload: Array(bytes.dropFirst()))
        guard let message = try? Message.decode(frame) else { return }
        precondition(message.kind == kind, "a message is of its frame's kind")
        let again = Frame(kind: kind, payload: message.payload)
        precondition((try? Message.decode(again)) == message, "a message is read as it was written")
    }

    /// Frames of a peer that has shown its key.
    func checkLogin(_ bytes: [UInt8]) {
        let hello = Hello(device: "own", start: ReplicaID(1), books: ["b"])
        var machine = HandshakeMachine(ownDevice: "own")
        guard machine.established(device: "peer", hello: hello) == .send(.hello(hello)) else {
            preconditionFailure("whoever is not ourselves is greeted")
        }
        var decoder = FrameDecoder(compression: Self.compression)
        decoder.feed(bytes)
        while let frame = try? decoder.next(), let message = try? Message.decode(frame) {
            guard let action = try? machine.received(message) else {
                precondition(!machine.isLoggedIn, "what is out of turn is no login")
                return
            }
            switch action {
            case .loggedIn(let login):
                guard case .hello(let said) = message else { preconditionFailure("only a hello logs in") }
                precondition(
                    login.hello == said && login.device == "peer" && login.version == Hello.version,
                    "who logs in is who was proved"
                )
                return
            case .refuse, .closedByPeer:
                precondition(!machine.isLoggedIn, "who is refused, or leaves, is not logged in")
                return
            case .send: preconditionFailure("hello is sent once")
            }
        }
    }

    /// The first byte chooses the kind of frame that the others are read as; all of them decide a run.
    func checkPairing(_ bytes: [UInt8]) {
        var run = PairingRun(bytes)
        run.check()
        guard let first = bytes.first else { return }
        let frame = Frame(kind: first & 1 == 0 ? .pairing : .bye, payload: Array(bytes.dropFirst()))
        guard let message = try? PairingMessage.decode(frame) else { return }
        precondition(
            (try? PairingMessage.decode(message.frame)) == message,
            "a message is read as it was written"
        )
    }

    /// The first byte says how long the pieces are.
    func checkRequests(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        func lines(_ piece: Int) -> [[UInt8]] {
            var decoder = LineDecoder(limit: 4096)
            var out: [[UInt8]] = []
            var rest = bytes.dropFirst()
            do {
                repeat {
                    decoder.feed(rest.prefix(piece))
                    rest = rest.dropFirst(piece)
                    while let line = try decoder.next() { out.append(line) }
                } while !rest.isEmpty
            } catch {}
            return out
        }
        let whole = lines(max(1, bytes.count))
        precondition(whole == lines(Int(first) + 1), "the same lines come out, whatever the pieces")
        for line in whole {
            guard let value = try? JSONReader.value(line) else { continue }
            do throws(Request.Flaw) {
                let request = try Request.decode(value)
                guard let again = try? JSONReader.value(Array(request.line.dropLast())) else {
                    preconditionFailure("a request that was read can be written")
                }
                let copy = try Request.decode(again)
                precondition(copy == request, "a request is read as it was written")
            } catch {
                let reply = JSONWriter.bytes(Reply(error).json)
                precondition((try? JSONReader.value(reply)) != nil, "a flaw can be answered")
            }
        }
    }
}
