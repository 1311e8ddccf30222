/// How the page looks, and the few lines that keep it up to date.
enum WebStyle {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--bg:#f4f5f8;--card:#fff;--ink:#191d27;--soft:#5c6474;--line:#e2e5ec;
        --accent:#2f5bea;--accent-soft:#e9eeff;--good:#157347;--good-soft:#dff5e8;--warn:#8a5300;--warn-soft:#fdf0d8;
        --bad:#b3261e;--bad-soft:#fde5e3;--shadow:0 1px 2px #1018280d,0 6px 20px #10182810}
        @media(prefers-color-scheme:dark){:root{--bg:#10131a;--card:#191d27;--ink:#e9ecf3;--soft:#9aa3b5;--line:#2a303d;
        --accent:#8fabff;--accent-soft:#212b4d;--good:#62d394;--good-soft:#14342a;--warn:#f2bd5c;--warn-soft:#3a2d13;
        --bad:#ff938a;--bad-soft:#40201f;--shadow:none}}
        *{box-sizing:border-box}html{scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Ubuntu,Cantarell,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
        a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
        header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;align-items:center;gap:.4rem 1.1rem;
        padding:.7rem max(1rem,calc((100% - 1200px)/2));background:var(--card);border-bottom:1px solid var(--line)}
        .home{display:flex;align-items:center;gap:.55rem;font-weight:650;font-size:1.08rem;color:var(--ink)}
        .home svg{width:28px;height:28px;flex:none;fill:var(--accent);stroke:var(--accent);stroke-width:2}
        nav{display:flex;flex-wrap:wrap;gap:.2rem;order:1;width:100%}nav a{padding:.2rem .7rem;border-radius:99px;color:var(--soft)}
        header>.pill{margin-left:auto}@media(min-width:700px){nav{order:0;width:auto}}
        nav a:hover,nav a[aria-current]{background:var(--accent-soft);color:var(--accent);text-decoration:none}
        main{max-width:1232px;margin:0 auto;padding:1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
        @media(min-width:1000px){main{grid-template-columns:minmax(0,1.9fr) minmax(0,1fr)}.wide{grid-column:1/-1}}
        section{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:1.1rem 1.25rem;box-shadow:var(--shadow)}
        h2{margin:0 0 .9rem;font-size:1.02rem;font-weight:650;display:flex;align-items:center;gap:.6rem}
        h3{margin:0;font-size:1rem;font-weight:600;display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .6rem}
        h4{margin:0 0 .4rem;font-size:1rem;font-weight:600}p{margin:.35rem 0}small,time,.path{color:var(--soft);font-size:.86rem}
        .path{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.8rem}.empty{color:var(--soft)}
        .pill{display:inline-block;padding:.05rem .6rem;border-radius:99px;font-size:.8rem;font-weight:550;white-space:nowrap;background:var(--accent-soft);color:var(--accent)}
        .pill.good{background:var(--good-soft);color:var(--good)}.pill.warn{background:var(--warn-soft);color:var(--warn)}
        .pill.bad{background:var(--bad-soft);color:var(--bad)}.pill.off{background:var(--line);color:var(--soft)}
        h3 .pill{white-space:normal}
        .count{padding:0 .55rem;border-radius:99px;background:var(--bg);color:var(--soft);font-size:.82rem;font-weight:550}
        code.command{display:block;width:fit-content;max-width:100%;margin:.35rem 0;padding:.35rem .7rem;border-radius:8px;background:var(--bg);
        border:1px solid var(--line);font:.82rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace;user-select:all}
        ul,ol{list-style:none;margin:0;padding:0}details{margin-top:.5rem}summary{cursor:pointer;color:var(--accent);font-size:.88rem}
        #needs{border-color:var(--warn);background:linear-gradient(var(--warn-soft),var(--card) 5rem)}
        #needs:has(li.bad){border-color:var(--bad);background:linear-gradient(var(--bad-soft),var(--card) 5rem)}
        .needs{display:grid;gap:.9rem}.needs li{padding-left:.9rem;border-left:4px solid var(--bad)}.needs li.warn{border-color:var(--warn)}
        .needs p{color:var(--soft)}
        .star{display:none;width:100%;height:auto;max-height:30rem}
        .link{stroke:var(--good);stroke-width:2.5;fill:none}.link.warn{stroke:var(--warn);stroke-dasharray:7 6;animation:flow 1s linear infinite}
        .link.bad{stroke:var(--bad);stroke-dasharray:2 7}.link.off{stroke:var(--soft);stroke-dasharray:2 7;opacity:.6}
        @keyframes flow{to{stroke-dashoffset:-13}}@media(prefers-reduced-motion:reduce){.link{animation:none!important}}
        .node rect{fill:var(--card);stroke:var(--line);stroke-width:1.5}.node text{fill:var(--soft);font-size:12.5px}
        .node text.name{fill:var(--ink);font-size:15px;font-weight:600}.node text.long{font-size:12.5px}.node circle{fill:var(--good)}
        .node.good rect{stroke:var(--good)}.node.warn rect{stroke:var(--warn)}.node.bad rect{stroke:var(--bad)}
        .node.warn circle{fill:var(--warn)}.node.bad circle{fill:var(--bad)}.node.off circle{fill:none;stroke:var(--soft);stroke-width:1.5}
        .node.off text.name{fill:var(--soft)}.node.own rect{fill:var(--accent);stroke:var(--accent)}.node.own circle{fill:var(--card)}
        .node.own text,.node.own text.name{fill:var(--card)}
        rect.lag{fill:var(--warn-soft);stroke:var(--warn)}text.lag{fill:var(--warn);font-size:12.5px;font-weight:600;text-anchor:middle}
        .tree{position:relative;padding-left:1.5rem}.tree:before{content:"";position:absolute;left:.42rem;top:.3rem;bottom:1.2rem;width:2px;background:var(--line)}
        .tree li{position:relative;padding:.3rem 0;display:flex;flex-wrap:wrap;align-items:center;gap:.1rem .6rem}.tree small{width:100%}
        .tree li:before{content:"";position:absolute;left:-1.42rem;top:.75rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--good);border:2px solid var(--card)}
        .tree li.warn:before{background:var(--warn)}.tree li.bad:before{background:var(--bad)}.tree li.off:before{background:var(--soft)}
        .tree .lag{font-size:.84rem;font-weight:600;color:var(--warn)}
        @media(min-width:640px){.star{display:block}.tree{columns:2;padding:0;margin-top:.6rem;border-top:1px solid var(--line);padding-top:.6rem}
        .tree:before{display:none}.tree li{break-inside:avoid;padding-left:1.35rem}.tree li:before{left:0}}
        .book{display:block;color:inherit;padding:.8rem .9rem;border:1px solid var(--line);border-radius:12px;margin-bottom:.7rem}
        .book:hover{border-color:var(--accent);text-decoration:none}
        .numbers{display:flex;flex-wrap:wrap;gap:.5rem 1.4rem;margin:.5rem 0 0}.numbers div{display:flex;flex-direction:column-reverse}
        dt{color:var(--soft);font-size:.8rem}dd{margin:0}.numbers dd{font-size:1.25rem;font-weight:650;font-variant-numeric:tabular-nums}
        .numbers .bad dd{color:var(--bad)}
        article{padding:.9rem 0;border-top:1px solid var(--line)}h2+article{border-top:0;padding-top:0}
        .side{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:.7rem;margin-top:.6rem}
        .contact,.value{border:1px solid var(--line);border-radius:12px;padding:.7rem .9rem;background:var(--bg)}
        .contact dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.15rem .8rem;margin:0}.contact dt{grid-column:1}.contact dd{grid-column:2}
        .contact dd.shared bdi{background:var(--warn-soft);color:var(--warn);border-radius:5px;padding:0 .3rem;margin-left:-.3rem;font-weight:600}
        .field{margin-top:.6rem;font-size:.88rem;color:var(--soft)}.value p{font-weight:550}.value.shown{border-color:var(--good)}
        .history li{display:flex;gap:.2rem .8rem;justify-content:space-between;align-items:baseline;padding:.32rem 0 .32rem 1.1rem;position:relative}
        .history li:before{content:"";position:absolute;left:0;top:.82rem;width:.5rem;height:.5rem;border-radius:50%;background:var(--accent)}
        .history li.good:before{background:var(--good)}.history li.warn:before{background:var(--warn)}.history li.bad:before{background:var(--bad)}
        .history strong{font-weight:600}.history time{flex:none}
        form{display:flex;gap:.5rem;margin-bottom:.8rem}input[type=search]{flex:1;min-width:0;max-width:24rem}
        input,button{font:inherit;padding:.35rem .8rem;border-radius:9px;border:1px solid var(--line);background:var(--bg);color:inherit}
        button{background:var(--accent);border-color:var(--accent);color:var(--card);font-weight:600;cursor:pointer}
        .contacts li{display:grid;grid-template-columns:minmax(0,1fr);gap:.1rem .8rem;padding:.45rem 0;border-top:1px solid var(--line);align-items:baseline}
        .contacts .pill{justify-self:start}.phones{display:flex;flex-wrap:wrap;gap:0 1.1rem;font-variant-numeric:tabular-nums}
        @media(min-width:700px){.contacts li{grid-template-columns:minmax(0,2fr) 6rem minmax(0,3fr) minmax(0,2fr)}
        .contacts strong{grid-column:1}.contacts .pill{grid-column:2}.contacts .phones{grid-column:3}.contacts small{grid-column:4}.contacts li>*{grid-row:1}}
        .pages{display:flex;gap:1rem;align-items:center;margin:.8rem 0 0;color:var(--soft);font-size:.9rem}.pages:empty{display:none}
        footer{max-width:1232px;margin:0 auto;padding:.2rem 1.25rem 2rem;color:var(--soft);font-size:.84rem}
        """

    /// Asks for the pulse every few seconds, and for the page where it is another one; what is open stays open.
    static let script: StaticString = """
        (() => {
          const every = 3000, body = document.body;
          const open = root => [...root.querySelectorAll("details")].map(d => d.open);
          const look = async () => {
            try {
              if (document.hidden || document.activeElement.matches("input")) return;
              const pulse = await fetch(body.dataset.pulseLink);
              if (!pulse.ok || (await pulse.text()).trim() === body.dataset.pulse) return;
              const answer = await fetch(location.href);
              if (!answer.ok) return;
              // Its style has another nonce, and ours stays.
              const text = (await answer.text()).replace(/<style.*?<\\/style>/s, "");
              const page = new DOMParser().parseFromString(text, "text/html");
              const was = open(document);
              for (const part of ["header", "main"])
                document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes);
              document.querySelectorAll("details").forEach((d, i) => { d.open = was[i] || false; });
              body.dataset.pulse = page.body.dataset.pulse;
              document.title = page.title;
            } catch { /* the daemon stops; the next look finds it again */ }
          };
          setInterval(look, every);
          document.addEventListener("visibilitychange", look);
        })();
        """
}
