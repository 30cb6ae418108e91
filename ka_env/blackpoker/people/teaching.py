"""What a new player has to be told, once per language: the game in short, what each action does, what a choice brings.

Keys: `does <verb>` is an action's effect, `effect <kind>` what a choice of a decision brings (`effect <kind> <token>`
that of one token), `key <verb>` and `target <verb>` the same with numbers in it.
"""

from __future__ import annotations

ENGLISH = {
    "title": "BlackPoker in short",
    "goal": "Goal. Your life is your deck and your hit points in one. Damage and costs take cards off it, and you draw "
    "from it. Whoever has no life left when it is checked loses: so don't pay with your last card.",
    "turn": "Your turn. Your units are charged, you draw a card and may draw a second. Then act as often as you can "
    "pay: "
    "one bulwark, soldiers, magic, one attack. With End the turn passes on; you keep at most 7 cards.",
    "stage": "Stage and chance. What you announce lies on the stage first, it has not happened yet. Who holds the "
    "chance "
    "may answer (quick actions) or pass. When both have passed, the topmost request takes effect and the turn player "
    "has "
    "the chance again. So an answer comes before what it answers. Costs are gone, whatever happens.",
    "units": "Units. A bulwark lies face down: it blocks, and driving it (turning it sideways) pays for summoning. A "
    "soldier attacks and blocks, its size is its number. A driven unit does nothing until it is charged in your next "
    "turn. A soldier can't attack in the turn it comes, an ace can.",
    "fight": "Fights. The opponent puts before each attacker one bulwark, or soldiers, or nobody. A bulwark dies, "
    "and takes "
    "the attacker along if it has its number. Soldiers compare sizes: the smaller side dies, equal ones both. An "
    "attacker "
    "nobody blocks does damage of its size.",
    "succession": "Succession. When an A, J, Q, K or Joker of yours dies on the field, your life goes to the grave "
    "card by "
    "card until the next of these turns up; that one goes to your hand.",
    "actions": "What you can announce under {ruleset} (quick: whenever you have the chance; the others: in your "
    "turn, on an "
    "empty stage):",
    "action": "{key} {name}{quick}{price}. {does}",
    "is quick": " (quick)",
    "shows": ": {keys}",
    "pays": "; pay {cost}",
    "more": "More: ka rules {ruleset} has the table, ka glossary the words.",
    # what actions do
    "does pass": "You give the chance to the other player.",
    "does end": "Your turn is over: down to 7 cards, then the opponent's units are charged and the opponent draws.",
    "does attack": "Name soldiers to attack with; then the opponent may block. Once a turn.",
    "does bulwark": "A hand card lies face down: it blocks, and pays for summoning. Once a turn.",
    "does soldier": "The card comes as a soldier of its number. It may attack from your next turn on.",
    "does hero": "The card comes as a soldier of size 11 (J), 12 (Q) or 13 (K). If it dies, succession follows.",
    "does ace": "The A comes as a soldier of size 1 that may attack at once. If it dies, succession follows.",
    "does magician": "The Joker comes as a soldier of size 0 that may attack at once; with it your quick magic is "
    "cheaper.",
    "does equip": "The card is added to your soldier of its suit: the sizes add up.",
    "does up": "A soldier grows by the card's number until the turn ends.",
    "does down": "A soldier shrinks by the card's number until the turn ends; at 0 or less it dies.",
    "does twist": "Drive a unit, so that it can't attack, block or pay, or charge it again.",
    "does counter": "Cancel a request: one whose card is not higher than yours, or one with two cards.",
    "does search": "Take a card of your choice out of your life, openly; the rest is shuffled. Nobody can answer.",
    "does return": "Your charged unit goes back to your hand, and so do the two cards shown.",
    "does destroy": "A bulwark goes to the grave.",
    "does throw": "The opponent takes damage: the number of the ♠.",
    "does lance": "If the ♦ divides a soldier's size, it goes on its owner's life, who then takes the ♠'s number as "
    "damage.",
    "does fortify": "Top cards of your life come as bulwarks: one charged, or two driven.",
    "does reanimate": "One of your units dies, and a card of your grave comes as a soldier.",
    "does strip": "You see the opponent's hand and discard a card of it.",
    "does reverse": "A soldier becomes a bulwark (one for each card), or a bulwark a soldier; driven or charged, as "
    "you say.",
    "does quick": "In the opponent's turn the A comes as an ace or as a bulwark, in time to block.",
    "does reunion": "A card of your grave goes to your hand, openly.",
    "does kill": "A soldier goes to the grave.",
    "does truce": "Damage is taken off the stage: the fight ends, nobody is hurt.",
    "does redirect": "Another request gets a new target, among those it could have had.",
    "does bj": "Take two cards of your choice out of your life, openly; the rest is shuffled.",
    "does rsf": "A player takes 40 damage.",
    "does force": "All your soldiers grow by the sum of the two cards until the turn ends.",
    "does rain": "Every soldier not bigger than the sum of the two cards dies, yours too.",
    "does recruit": "Of your top four life cards those not above the sum of the two cards come as driven soldiers.",
    "does surprise": "Your bulwarks become soldiers, and all your soldiers are charged.",
    "does open": "Take a card of your pack, or your rare card, into your hand.",
    "does raredraw": "With 9 or fewer life cards your rare card goes to your hand.",
    "does raresummon": "Your rare card comes as a soldier.",
    "does trap": "Cancel a request that shows the very card that is your rare card.",
    "does setup": "A soldier grows by the ♠'s number until the turn ends.",
    "does draw": "The turn player draws a card and may draw a second.",
    "does block": "The player attacked names who blocks.",
    "does damage": "The fight is decided: units die, attackers nobody blocks do damage.",
    # the same where it sounds different to the other player
    "from end": "The opponent's turn is over: your units are charged and you draw.",
    "from attack": "The opponent names soldiers to attack with; then you may block.",
    "from soldier": "The card comes as a soldier of its number. It may attack from the opponent's next turn on.",
    "from magician": "The Joker comes as a soldier of size 0 that may attack at once; with it the opponent's quick "
    "magic is "
    "cheaper.",
    "from equip": "The card is added to a soldier of the opponent: the sizes add up.",
    "from counter": "The request it is aimed at is cancelled, if that one's card is not higher, or if it has two "
    "cards.",
    "from return": "A charged unit of the opponent goes back to hand, and so do the two cards shown.",
    "from throw": "You take {n} damage: your life goes from {life} to {less}.",
    "from fortify": "Top cards of the opponent's life come as bulwarks.",
    "from reanimate": "A unit of the opponent dies, and a card of the opponent's grave comes as a soldier.",
    "from strip": "The opponent sees your hand and discards a card of it.",
    "from reverse": "A soldier becomes a bulwark (one for each card), or a bulwark a soldier; the opponent says in "
    "which state.",
    "from quick": "The A comes as an ace or as a bulwark of the opponent, in time to block.",
    "from reunion": "A card of the opponent's grave goes to the opponent's hand, openly.",
    "from bj": "The opponent takes two cards out of the own life, openly.",
    "from force": "All soldiers of the opponent grow by the sum of the two cards until the turn ends.",
    "from rain": "Every soldier not bigger than the sum of the two cards dies, on both sides.",
    "from recruit": "Of the opponent's top four life cards those not above the sum of the two cards come as driven "
    "soldiers.",
    "from surprise": "The opponent's bulwarks become soldiers, and all soldiers of the opponent are charged.",
    "from raresummon": "The opponent's rare card comes as a soldier.",
    "from trap": "The request it is aimed at is cancelled, if it shows the very same card.",
    # passing
    "passing on": "{request} happens unless the opponent answers. {does}",
    "passing resolves": "{request} happens now. {does}",
    "passing to other": "The opponent may act. If the opponent passes too, it is your choice again.",
    "passing back": "Nothing lies on the stage: the opponent's turn goes on.",
    # choices
    "effect pay_bulwark": "It is driven: it can't block until it is charged in your next turn.",
    "effect pay_discard": "It goes to your grave.",
    "effect pay_sacrifice": "It leaves the field for your grave.",
    "effect bulwark_card": "It lies face down: the opponent doesn't see it. It blocks and pays, it can't attack.",
    "effect discard": "It goes to your grave.",
    "effect draw_more yes": "A card more in hand, a life card less: {life} → {less}.",
    "effect draw_more no": "Your life stays at {life}.",
    "effect attackers": "It attacks with size {size} and is driven: it can't block in the opponent's turn.",
    "effect attackers nobody": "Nobody attacks, and the attack of this turn is gone.",
    "effect attackers done": "That is all: now the opponent may block.",
    "effect blockers nobody": "{size} damage: your life goes from {life} to {less}.",
    "effect blockers done": "Nobody else blocks it.",
    "effect blockers bulwark": "It is turned up and dies. The attacker lives, but does no damage.",
    "effect blockers spring": "It is turned up and dies, and so does the attacker: the numbers match.",
    "effect blockers wins": "{sum} against {size}: the attacker dies.",
    "effect blockers even": "{sum} against {size}: both sides die.",
    "effect blockers loses": "{sum} against {size}: your side dies, unless more block. No damage to you.",
    "effect twist drive": "It can't attack, block or pay until it is charged again.",
    "effect twist charge": "It is ready again: to attack, block or pay.",
    "effect search_card": "It goes to your hand, the opponent sees it.",
    "effect search_card done": "You take no more.",
    "effect fortify one": "Your top life card becomes a bulwark that can block and pay at once.",
    "effect fortify two": "Your top two life cards become bulwarks that are ready in your next turn.",
    "effect grave_card": "{does}",
    "effect strip_card": "It goes to the opponent's grave.",
    "effect lance_order": "It goes on top of the life now; the card named last is the top one.",
    "effect reverse_state drive": "It is turned over and can't be used before it is charged.",
    "effect reverse_state charge": "It is turned over and ready.",
    "effect quick_form bulwark": "It lies face down and may block.",
    "effect quick_form ace": "It comes as a soldier of size 1.",
    "effect new_target": "The request is now aimed at it.",
    "effect recruit_order": "It goes under the life now; the card named last is the lowest.",
    "effect pack_card": "It goes to your hand, the opponent sees it.",
    "effect first_hand": "You begin with it in hand.",
    "effect rare": "It is laid aside as your rare card.",
    # keys and targets
    "key soldier": "A soldier of size {n}.",
    "key hero": "A soldier of size {n}.",
    "key equip": "The soldier grows by {n} for good.",
    "key up": "The soldier grows by {n} until the turn ends.",
    "key setup": "The soldier grows by {n} until the turn ends.",
    "key down": "The soldier shrinks by {n} until the turn ends; at 0 or less it dies.",
    "key counter": "Cancels a request whose card is {n} or lower, or one with two cards.",
    "key throw": "{n} damage to the opponent.",
    "target grows": "Its size goes from {size} to {sum}.",
    "target shrinks": "Its size goes from {size} to {sum}.",
    "target dies": "Its size goes from {size} to {sum}: it dies.",
    "target cancels": "It is cancelled, if nobody answers.",
    "target too low": "Your {n} is too low: nothing happens.",
}

JAPANESE = {
    "title": "BlackPokerの遊び方(要約)",
    "goal": "目的：ライフは山札であり体力でもあります。ダメージやコストでライフからカードが墓地に移り、ドローもライフ"
    "から行います。"
    "勝敗判定のときにライフが0枚のプレイヤーの負けです。最後の1枚をコストに払わないように。",
    "turn": "自分のターン：キャラクターがチャージされ、1枚引き、もう1枚引いてもかまいません。その後はコストを払える限"
    "り何度でも"
    "アクションを起こせます(防壁設置は1回、アタックも1回)。エンドでターンが移り、手札は7枚までになります。",
    "stage": "ステージとチャンス：起こしたアクションはまずステージに置かれ、まだ効果はありません。チャンスを持つプレ"
    "イヤーは"
    "クイックのアクションで割り込むか、パスします。両者がパスすると一番上のリクエストが解決され、ターンプレイヤーに"
    "チャンスが戻ります。後から割り込んだものが先に解決されます。払ったコストは戻りません。",
    "units": "キャラクター：防壁は裏向きで、ブロックでき、ドライブ(横向き)にして召喚のコストを払います。兵士はアタッ"
    "クとブロックが"
    "でき、サイズは数字です。ドライブ状態のキャラクターは次の自分のターンにチャージされるまで何もできません。"
    "兵士は登場したターンにはアタックできません(エースはできます)。",
    "fight": "戦闘：相手はアタッカーごとに、防壁1つか兵士(何体でも)でブロックするか、ブロックしません。ブロックした防"
    "壁は墓地へ行き、"
    "数字が同じならアタッカーも墓地へ行きます。兵士同士はサイズを比べ、小さい側が墓地へ、同じなら両方が墓地へ行きます。"
    "ブロックされなかったアタッカーはサイズ分のダメージを与えます。",
    "succession": "世代交代：自分の場のA・J・Q・K・ジョーカーが墓地へ行くと、次の絵札が出るまでライフを1枚ずつ墓地に"
    "移し、"
    "出た絵札を手札に加えます。",
    "actions": "{ruleset}で起こせるアクション(クイック：チャンスがあればいつでも。その他：自分のターンでステージが空"
    "のとき)：",
    "action": "{key} {name}{quick}{price}。{does}",
    "is quick": "(クイック)",
    "shows": "：キー {keys}",
    "pays": "、コスト {cost}",
    "more": "詳しくは ka rules {ruleset}(アクションの表)、ka glossary(用語)。",
    "does pass": "チャンスを相手に渡します。",
    "does end": "ターンを終えます。手札を7枚にし、相手のキャラクターがチャージされ、相手がドローします。",
    "does attack": "アタックする兵士を指定します。その後、相手がブロックできます。1ターンに1回。",
    "does bulwark": "手札1枚を裏向きで防壁にします。ブロックでき、召喚のコストを払えます。1ターンに1回。",
    "does soldier": "その数字のサイズの兵士が登場します。アタックは次の自分のターンから。",
    "does hero": "サイズ11(J)・12(Q)・13(K)の兵士が登場します。墓地へ行くと世代交代が起こります。",
    "does ace": "サイズ1の兵士が登場し、すぐにアタックできます。墓地へ行くと世代交代が起こります。",
    "does magician": "サイズ0の兵士が登場し、すぐにアタックできます。場にいる間、クイックマジックのコストが軽くなりま"
    "す。",
    "does equip": "同じスートの自分の兵士にカードを重ねます。サイズは合計になります。",
    "does up": "ターンの終わりまで、兵士のサイズがカードの数字だけ大きくなります。",
    "does down": "ターンの終わりまで、兵士のサイズがカードの数字だけ小さくなります。0以下なら墓地へ。",
    "does twist": "キャラクターをドライブ(アタック・ブロック・支払いができなくなる)またはチャージします。",
    "does counter": "リクエストを打ち消します。キーが自分のキー以下の数字のもの、またはキーが2枚のもの。",
    "does search": "ライフから好きなカード1枚を公開して手札に加え、残りを切ります。割り込まれません。",
    "does return": "チャージ状態の自分のキャラクターが手札に戻り、見せた2枚も戻ります。",
    "does destroy": "防壁1つを墓地に置きます。",
    "does throw": "相手に♠の数字分のダメージを与えます。",
    "does lance": "♦の数字で兵士のサイズが割り切れれば、その兵士を持ち主のライフの上に置き、♠の数字分のダメージを与え"
    "ます。",
    "does fortify": "ライフの上から防壁を出します。チャージで1枚、またはドライブで2枚。",
    "does reanimate": "自分のキャラクター1体を墓地に置き、墓地のカード1枚を兵士として出します。",
    "does strip": "相手の手札を見て、1枚を捨てさせます。",
    "does reverse": "兵士を防壁に(カード1枚につき1つ)、または防壁を兵士に裏返します。ドライブかチャージかを選びます。",
    "does quick": "相手のターンに、Aをエースまたは防壁として出します。ブロックに間に合います。",
    "does reunion": "墓地のカード1枚を公開して手札に加えます。",
    "does kill": "兵士1体を墓地に置きます。",
    "does truce": "ダメージ判定をステージから取り除きます。戦闘は終わり、誰も傷つきません。",
    "does redirect": "他のリクエストの対象を、選べたはずの別の対象に変えます。",
    "does bj": "ライフから好きなカード2枚を公開して手札に加え、残りを切ります。",
    "does rsf": "プレイヤー1人に40ダメージを与えます。",
    "does force": "ターンの終わりまで、自分の全兵士のサイズがキー2枚の合計だけ大きくなります。",
    "does rain": "サイズがキー2枚の合計以下の兵士をすべて墓地に置きます(自分の兵士も)。",
    "does recruit": "ライフの上4枚のうち、数字がキー2枚の合計以下のカードがドライブ状態の兵士として登場します。",
    "does surprise": "自分の防壁がすべて兵士になり、自分の兵士がすべてチャージされます。",
    "does open": "パックから1枚、またはレアカードを手札に加えます。",
    "does raredraw": "ライフが9枚以下のとき、レアカードを手札に加えます。",
    "does raresummon": "レアカードを兵士として出します。",
    "does trap": "自分のレアカードと同じカードをキーにしたリクエストを打ち消します。",
    "does setup": "ターンの終わりまで、兵士のサイズが♠の数字だけ大きくなります。",
    "does draw": "ターンプレイヤーが1枚引き、もう1枚引いてもかまいません。",
    "does block": "アタックされたプレイヤーがブロッカーを指定します。",
    "does damage": "戦闘の結果が決まります。ブロックされなかったアタッカーがダメージを与えます。",
    "from end": "相手のターンが終わり、自分のキャラクターがチャージされ、自分がドローします。",
    "from attack": "相手がアタックする兵士を指定します。その後、あなたがブロックできます。",
    "from soldier": "その数字のサイズの兵士が登場します。アタックは相手の次のターンから。",
    "from magician": "サイズ0の兵士が登場し、すぐにアタックできます。場にいる間、相手のクイックマジックのコストが軽く"
    "なります。",
    "from equip": "同じスートの相手の兵士にカードを重ねます。サイズは合計になります。",
    "from counter": "対象のリクエストを打ち消します。そのキーの数字がこれ以下か、キーが2枚なら。",
    "from return": "チャージ状態の相手のキャラクターが手札に戻り、見せた2枚も戻ります。",
    "from throw": "{n}ダメージを受けます。ライフ{life} → {less}。",
    "from fortify": "相手のライフの上から防壁が出ます。",
    "from reanimate": "相手のキャラクター1体が墓地に置かれ、相手の墓地のカード1枚が兵士として出ます。",
    "from strip": "相手があなたの手札を見て、1枚を捨てさせます。",
    "from reverse": "兵士を防壁に(カード1枚につき1つ)、または防壁を兵士に裏返します。状態は相手が選びます。",
    "from quick": "Aが相手のエースまたは防壁として出ます。ブロックに間に合います。",
    "from reunion": "相手の墓地のカード1枚が公開されて相手の手札に加わります。",
    "from bj": "相手が自分のライフからカード2枚を公開して手札に加えます。",
    "from force": "ターンの終わりまで、相手の全兵士のサイズがキー2枚の合計だけ大きくなります。",
    "from rain": "サイズがキー2枚の合計以下の兵士が、両者ともすべて墓地に置かれます。",
    "from recruit": "相手のライフの上4枚のうち、数字がキー2枚の合計以下のカードがドライブ状態の兵士として登場します。",
    "from surprise": "相手の防壁がすべて兵士になり、相手の兵士がすべてチャージされます。",
    "from raresummon": "相手のレアカードが兵士として出ます。",
    "from trap": "同じカードをキーにしていれば、対象のリクエストを打ち消します。",
    "passing on": "相手が割り込まなければ{request}を解決します。{does}",
    "passing resolves": "{request}を解決します。{does}",
    "passing to other": "相手がアクションを起こせます。相手もパスすれば、またあなたが選びます。",
    "passing back": "ステージは空です。相手のターンが続きます。",
    "effect pay_bulwark": "ドライブします。次の自分のターンにチャージされるまでブロックできません。",
    "effect pay_discard": "墓地に置きます。",
    "effect pay_sacrifice": "場から墓地に置きます。",
    "effect bulwark_card": "裏向きで置くので相手には見えません。ブロックと支払いができ、アタックはできません。",
    "effect discard": "墓地に置きます。",
    "effect draw_more yes": "手札が1枚増え、ライフが1枚減ります：{life} → {less}。",
    "effect draw_more no": "ライフは{life}のままです。",
    "effect attackers": "サイズ{size}でアタックし、ドライブします。相手のターンにブロックできません。",
    "effect attackers nobody": "誰もアタックせず、このターンのアタックは終わります。",
    "effect attackers done": "これで全員です。次に相手がブロックできます。",
    "effect blockers nobody": "{size}ダメージを受けます。ライフ{life} → {less}。",
    "effect blockers done": "ブロッカーはここまでです。",
    "effect blockers bulwark": "表にして墓地に置きます。アタッカーは残りますが、ダメージはありません。",
    "effect blockers spring": "表にして墓地に置きます。数字が同じなのでアタッカーも墓地へ行きます。",
    "effect blockers wins": "{sum}対{size}：アタッカーは墓地へ。",
    "effect blockers even": "{sum}対{size}：両方とも墓地へ。",
    "effect blockers loses": "{sum}対{size}：さらにブロックしなければ自分の側が墓地へ。ダメージはありません。",
    "effect twist drive": "チャージされるまでアタック・ブロック・支払いができません。",
    "effect twist charge": "またアタック・ブロック・支払いができます。",
    "effect search_card": "手札に加えます。相手に見せます。",
    "effect search_card done": "ここまでにします。",
    "effect fortify one": "ライフの一番上が、すぐにブロックと支払いができる防壁になります。",
    "effect fortify two": "ライフの上2枚が防壁になります。使えるのは次の自分のターンから。",
    "effect grave_card": "{does}",
    "effect strip_card": "相手の墓地に置きます。",
    "effect lance_order": "ライフの上に置きます。最後に選んだカードが一番上になります。",
    "effect reverse_state drive": "裏返します。チャージされるまで使えません。",
    "effect reverse_state charge": "裏返します。すぐに使えます。",
    "effect quick_form bulwark": "裏向きで置き、ブロックできます。",
    "effect quick_form ace": "サイズ1の兵士として出します。",
    "effect new_target": "リクエストの対象がこれになります。",
    "effect recruit_order": "ライフの下に置きます。最後に選んだカードが一番下になります。",
    "effect pack_card": "手札に加えます。相手に見せます。",
    "effect first_hand": "最初の手札になります。",
    "effect rare": "レアカードとして置きます。",
    "key soldier": "サイズ{n}の兵士になります。",
    "key hero": "サイズ{n}の兵士になります。",
    "key equip": "兵士のサイズが{n}大きくなります。",
    "key up": "ターンの終わりまでサイズ+{n}。",
    "key setup": "ターンの終わりまでサイズ+{n}。",
    "key down": "ターンの終わりまでサイズ-{n}。0以下なら墓地へ。",
    "key counter": "キーが{n}以下のリクエスト、またはキーが2枚のリクエストを打ち消します。",
    "key throw": "相手に{n}ダメージ。",
    "target grows": "サイズ{size} → {sum}。",
    "target shrinks": "サイズ{size} → {sum}。",
    "target dies": "サイズ{size} → {sum}：墓地へ行きます。",
    "target cancels": "割り込まれなければ打ち消します。",
    "target too low": "あなたの{n}では低すぎて、何も起こりません。",
}
TEACHING = {"en": ENGLISH, "ja": JAPANESE}
